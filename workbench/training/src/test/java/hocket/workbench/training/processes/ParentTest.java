package hocket.workbench.training.processes;

import static org.assertj.core.api.Assertions.assertThat;

import hocket.workbench.training.StopRequest;
import hocket.workbench.training.reports.Display;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class ParentTest {
    private static final List<String> FIRST = List.of("digits-gan", "--out", "", "a b\tc\n+é%20");
    private static final List<String> SECOND = List.of("x");

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final List<String> remarks = new ArrayList<>();
    private final List<List<String>> trained = new ArrayList<>();

    @Test
    void whatAChildTellsIsWhatItsParentHears() {
        Display display = parent(InputStream.nullInputStream()).display(0.5);
        display.show(0.25, "round 5/20  [####....]");
        display.show(0.75, "beyond");
        assertThat(told().stream()
                        .map(line -> ParentProcess.ProgressReport.of(line).orElseThrow()))
                .containsExactly(
                        new ParentProcess.ProgressReport(0.5, "round 5/20  [####....]"),
                        new ParentProcess.ProgressReport(1, "beyond"));
        assertThat(ParentProcess.ProgressReport.of("a class of one's own prints\tthis"))
                .isEmpty();
    }

    @Test
    void itTrainsWhatItIsGivenUntilNothingIs() {
        out.writeBytes("a class of one's own prints this".getBytes(StandardCharsets.UTF_8));
        int status = parent(giving()).serve(remarks::add, this::train);
        assertThat(status).isZero();
        assertThat(trained).containsExactly(FIRST, SECOND);
        assertThat(told()).containsExactly("a class of one's own prints this", "done", "done");
        String opening = "process " + ProcessHandle.current().pid();
        assertThat(remarks).containsExactly(opening, opening);
    }

    @Test
    void oneThatIsNotDoneWellIsTheLast() {
        int status = parent(giving()).serve(remarks::add, arguments -> train(arguments) + 2);
        assertThat(status).isEqualTo(2);
        assertThat(trained).containsExactly(FIRST);
        assertThat(told()).isEmpty();
    }

    @Test
    void aRunWhoseParentIsGoneIsStoppedWheneverItBegins() throws InterruptedException {
        ParentProcess parentProcess = parent(giving());
        parentProcess.serve(remarks::add, this::train); // it has heard the end
        StopRequest stopRequest = new StopRequest();
        parentProcess.stops(stopRequest);
        assertThat(stopRequest.isRequested()).isTrue();
        assertThat(stopRequest.status()).isEqualTo(ParentProcess.STOPPED);
    }

    /** A signal to the whole group reaches the child first; its parent then closes the pipe. */
    @Test
    void aRunThatWasAskedToStopIsNotAskedAgainByTheEndOfItsInput() throws IOException {
        List<Integer> ended = new ArrayList<>();
        StopRequest stopRequest = new StopRequest(line -> {}, line -> {}, ended::add);
        stopRequest.at(new StopRequest.Stage() {
            @Override
            public List<String> first() {
                return List.of("saves");
            }

            @Override
            public String atOnce() {
                return "lost";
            }
        });
        PipedOutputStream given = new PipedOutputStream();
        ParentProcess parentProcess = parent(new PipedInputStream(given));
        given.write((ParentProcess.line(FIRST) + "\n").getBytes(StandardCharsets.UTF_8));
        given.flush();
        parentProcess.serve(remarks::add, arguments -> {
            parentProcess.stops(stopRequest);
            stopRequest.request(StopRequest.TERMINATED);
            try {
                given.close();
                Thread.sleep(300); // meanwhile it hears the end
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return train(arguments);
        });
        assertThat(stopRequest.isRequested()).isTrue();
        assertThat(ended).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"8, 2, 4", "8, 3, 2", "2, 4, 1", "1, 1, 1"})
    void threadsAreAnEqualPartOfTheCores(int cores, int atOnce, int threads) {
        assertThat(SideBySide.threads(cores, atOnce)).isEqualTo(threads);
    }

    private int train(List<String> arguments) {
        trained.add(arguments);
        return 0;
    }

    private ParentProcess parent(InputStream in) {
        return new ParentProcess(in, new PrintStream(out, true, StandardCharsets.UTF_8), 60);
    }

    private static InputStream giving() {
        String lines = ParentProcess.line(FIRST) + "\n" + ParentProcess.line(SECOND) + "\n";
        return new ByteArrayInputStream(lines.getBytes(StandardCharsets.UTF_8));
    }

    private List<String> told() {
        return out.toString(StandardCharsets.UTF_8)
                .lines()
                .filter(line -> !line.isEmpty())
                .toList();
    }
}
