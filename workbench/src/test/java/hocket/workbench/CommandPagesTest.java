package hocket.workbench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What pages of commands say, literally, in an empty folder. */
@Tag("engine")
class CommandPagesTest {
    @TempDir
    Path here;

    @ParameterizedTest
    @CsvSource({"folders, folders", "sweeps, sweeps"})
    void theirCommandsEndAsTheySay(String in, String name) throws IOException {
        run(in, name);
    }

    @Tag("slow")
    @Test
    void thoseOfASweepEndAsTheySay() throws IOException {
        run("sweeps", "sweep");
    }

    private void run(String in, String name) throws IOException {
        String page = Files.readString(Path.of(System.getProperty("hocket.root", ".."), "docs", in + ".md"));
        Matcher file = Pattern.compile("<!-- file: (\\S+) -->\\s*```yaml\\n(.*?)```", Pattern.DOTALL)
                .matcher(page);
        while (file.find()) {
            Files.writeString(here.resolve(file.group(1)), file.group(2));
        }
        Matcher block = Pattern.compile("<!-- commands: " + name + " -->\\s*```bash\\n(.*?)```", Pattern.DOTALL)
                .matcher(page);
        assertThat(block.find()).isTrue();
        List<String> lines = block.group(1).lines().toList();
        assertThat(lines).hasSizeGreaterThan(3);
        for (String line : lines) {
            String[] words = line.replaceFirst("#.*", "").strip().split(" +");
            assertThat(words[0]).isEqualTo("hocket");
            Ran ran = Ran.hocket(here, List.of(words).subList(1, words.length).toArray(String[]::new));
            int expected = line.contains("# status 1") ? 1 : 0;
            assertThat(ran.status()).as(line + "\n" + ran.out() + ran.err()).isEqualTo(expected);
        }
    }
}
