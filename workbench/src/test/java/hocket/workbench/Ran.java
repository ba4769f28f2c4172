package hocket.workbench;

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
record Ran(int status, String out, String err) {
    /** Runs a command in a folder. */
    static Ran hocket(Path here, String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int status = new Hocket(terminal(out, err, false), here).execute(args);
        return new Ran(status, out.toString(), err.toString());
    }

    static Terminal terminal(StringWriter out, StringWriter err, boolean inPlace) {
        return new Terminal(new PrintWriter(out), new PrintWriter(err), StandardCharsets.UTF_8, inPlace, 80);
    }

    List<String> outLines() {
        return out.lines().toList();
    }

    List<String> errLines() {
        return err.lines().toList();
    }
}
