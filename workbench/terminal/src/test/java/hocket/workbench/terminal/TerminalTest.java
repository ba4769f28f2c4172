package hocket.workbench.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class TerminalTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private Terminal terminal(Charset charset) {
        return new Terminal(new PrintWriter(out), new PrintWriter(err), charset, true, 80);
    }

    @Test
    void whatWouldSteerATerminalIsSpelledOut() {
        for (Charset charset : new Charset[] {StandardCharsets.UTF_8, StandardCharsets.US_ASCII}) {
            Terminal terminal = terminal(charset);
            terminal.say("a\033[2Jb\u009bc\rd\u202ee");
            terminal.remark("no\007 class \177");
            terminal.redraw("epoch\b");
        }
        assertThat(out.toString().lines()).containsOnly("a\\u001b[2Jb\\u009bc\\u000dd\\u202ee");
        assertThat(err.toString())
                .contains("no\\u0007 class \\u007f\n", "\repoch\\u0008\033[K")
                .doesNotContain("\007", "\177", "\b");
    }

    @Test
    void linesAndTabsStayWhatTheyAre() {
        terminal(StandardCharsets.UTF_8).say("a\tb\nc ×");
        assertThat(out).hasToString("a\tb\nc ×\n");
    }

    @Test
    void severalLinesAreRedrawnWhereTheyAreAndTakenAwayBeforeARemark() {
        Terminal terminal = terminal(StandardCharsets.UTF_8);
        terminal.redraw(List.of("a", "b", "all"));
        terminal.redraw(List.of("b", "all"));
        terminal.redraw(List.of("b", "all"));
        terminal.remark("done");
        terminal.erase();
        assertThat(err)
                .hasToString("\ra\033[K\nb\033[K\nall\033[K"
                        + "\r\033[2Ab\033[K\nall\033[K\033[J"
                        + "\r\033[1Ab\033[K\nall\033[K"
                        + "\r\033[1A\033[Jdone\n");
    }

    @Test
    void outputThatCannotBeWrittenIsNoSuccess() {
        assertThatThrownBy(() -> failing("No space left on device").say("a line"))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessage("standard output could not be written: No space left on device");
        assertThatThrownBy(() -> failing("Broken pipe").say("a line")).isInstanceOf(ReaderGoneException.class);
    }

    private Terminal failing(String message) {
        PrintWriter output = StandardOutput.writer(
                new OutputStream() {
                    @Override
                    public void write(int b) throws IOException {
                        throw new IOException(message);
                    }
                },
                StandardCharsets.UTF_8);
        return new Terminal(output, new PrintWriter(err), StandardCharsets.UTF_8, false, 80);
    }
}
