package hocket.workbench.command;

import hocket.workbench.testing.ForkedJava;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The command in a process of its own. */
public final class Forked {
    private Forked() {}

    /**
     * Starts it.
     *
     * @param before what the process is started by, such as a shell with a limit
     * @param said gets what it says, after what is there
     */
    public static Process hocket(Path here, Path said, List<String> before, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(before);
        command.addAll(command());
        command.addAll(Arrays.asList(arguments));
        return new ProcessBuilder(command)
                .directory(here.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(said.toFile()))
                .start();
    }

    /** What starts it, before its arguments. */
    static List<String> command() {
        return ForkedJava.command(Hocket.class);
    }
}
