package hocket.workbench.command;

import static org.assertj.core.api.Assertions.assertThat;

import hocket.workbench.runs.CommandContext;
import hocket.workbench.terminal.Terminal;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * What a command did in this process, as in a pipe.
 *
 * @param status exit status
 * @param out standard output
 * @param err standard error
 */
public record Ran(int status, String out, String err) {
    /** Runs a command in a folder. */
    public static Ran hocket(Path here, String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int status = new Hocket(new CommandContext(terminal(out, err, false), here)).execute(args);
        return new Ran(status, out.toString(), err.toString());
    }

    /** Runs a command in a folder, which must end with a status. */
    public static Ran ending(int status, Path here, String... args) {
        Ran ran = hocket(here, args);
        assertThat(ran.status).as(ran.out + ran.err).isEqualTo(status);
        return ran;
    }

    public static Terminal terminal(StringWriter out, StringWriter err, boolean inPlace) {
        return new Terminal(new PrintWriter(out), new PrintWriter(err), StandardCharsets.UTF_8, inPlace, 80);
    }

    public List<String> outLines() {
        return out.lines().toList();
    }

    public List<String> errLines() {
        return err.lines().toList();
    }
}
