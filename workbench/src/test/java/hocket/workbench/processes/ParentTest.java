package hocket.workbench.processes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ParentTest {
    @Test
    void whatAChildTellsIsWhatItsParentHears() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Parent parent = new Parent(new PrintStream(out, true, StandardCharsets.UTF_8), 60, 0.5);
        parent.show(0.25, "round 5/20  [####....]");
        parent.show(0.75, "beyond");
        List<Parent.Told> told = out.toString(StandardCharsets.UTF_8)
                .lines()
                .map(line -> Parent.Told.of(line).orElseThrow())
                .toList();
        assertThat(told).containsExactly(new Parent.Told(0.5, "round 5/20  [####....]"), new Parent.Told(1, "beyond"));
        assertThat(Parent.Told.of("a class of one's own prints\tthis")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"8, 2, 4", "8, 3, 2", "2, 4, 1", "1, 1, 1"})
    void threadsAreAnEqualPartOfTheCores(int cores, int atOnce, int threads) {
        assertThat(SideBySide.threads(cores, atOnce)).isEqualTo(threads);
    }
}
