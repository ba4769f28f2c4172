package hocket.workbench.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class WorkingTest {
    private final StringWriter err = new StringWriter();

    private Terminal terminal(boolean inPlace) {
        PrintWriter writer = new PrintWriter(err);
        return new Terminal(writer, writer, StandardCharsets.UTF_8, inPlace, 80);
    }

    @Test
    void itSaysHowMuchIsDoneAndHowLongItTakesAsFarAsThatIsKnown() {
        assertThat(Spinner.line("scoring", Double.NaN, 12)).isEqualTo("scoring  0:12");
        assertThat(Spinner.line("drawing", 0, 1)).isEqualTo("drawing  0%  0:01");
        assertThat(Spinner.line("drawing", 0.25, 20)).isEqualTo("drawing  25%  0:20  1:00 left");
        assertThat(Spinner.line("drawing", 1, 80)).isEqualTo("drawing  100%  1:20  0:00 left");
    }

    @Test
    @Timeout(120)
    void onATerminalTheLineComesAndGoes() throws InterruptedException {
        try (Spinner spinner = new Spinner(terminal(true), "drawing", false)) {
            spinner.done(0.5);
            while (!err.toString().contains("left\033[K")) {
                Thread.sleep(10);
            }
        }
        assertThat(err.toString()).startsWith("\rdrawing  50%  0:0").endsWith("\r\033[K");
        String before = err.toString();
        Thread.sleep(500); // longer than between two redraws
        assertThat(err).hasToString(before);
    }

    @Test
    void inAPipeAndWhereItIsToBeQuietNothingIsSaid() throws InterruptedException {
        Spinner.during(terminal(false), "drawing", false, WorkingTest::oneSecond);
        Spinner.during(terminal(true), "drawing", true, WorkingTest::oneSecond);
        assertThat(err.toString()).isEmpty();
    }

    private static boolean oneSecond() {
        try {
            Thread.sleep(1000);
            return true;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
