package hocket.workbench.live;

import hocket.schedulers.checkpoint.Reason;
import hocket.workbench.runs.RunFolder;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Trains runs in processes of their own, which outlive this one. */
final class Launch {
    private Launch() {}

    /**
     * Goes on with a run, by the Java and the classes of this process; served at a port that is free.
     *
     * @throws UncheckedIOException if the system refuses
     */
    static void resume(RunFolder folder) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> !argument.startsWith("-javaagent") && !argument.startsWith("-agentlib"))
                .forEach(command::add);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), "hocket.workbench.Hocket"));
        command.addAll(List.of("run", folder.path().toString(), "--resume", "--serve", "0", "--quiet"));
        try {
            new ProcessBuilder(command)
                    .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(folder + " could not be started: " + Reason.of(e), e);
        }
    }
}
