package hocket.distributed;

import static org.assertj.core.api.Assertions.assertThat;

import hocket.schedulers.checkpoint.Checkpoints;
import hocket.workbench.command.Hocket;
import hocket.workbench.runs.CommandContext;
import hocket.workbench.terminal.Terminal;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The command in this process, as in a pipe, or in a process of its own.
 *
 * @param status exit status
 * @param out standard output
 * @param err standard error
 */
public record CommandRun(int status, String out, String err) {
    /** Runs a command in a folder, in this process. */
    public static CommandRun of(Path here, String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        Terminal terminal = new Terminal(new PrintWriter(out), new PrintWriter(err), StandardCharsets.UTF_8, false, 80);
        int status = new Hocket(new CommandContext(terminal, here)).execute(arguments);
        return new CommandRun(status, out.toString(), err.toString());
    }

    /**
     * Starts a command in a process of its own.
     *
     * @param said gets what the command says, after what is there
     */
    public static Process start(Path here, Path said, String... arguments) throws IOException {
        List<String> command = java();
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .directory(here.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(said.toFile()))
                .start();
    }

    /** What starts a command by the Java of this process, before its arguments. */
    public static List<String> java() {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx512m", "-XX:-UsePerfData"));
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> argument.startsWith("-XX:"))
                .forEach(command::add);
        if (ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent()) {
            command.addAll(List.of("--add-modules", "jdk.incubator.vector"));
        }
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Hocket.class.getName()));
        return command;
    }

    /** Asserts that whole state and figures of two runs are equal, and that nothing half-written lies in the second. */
    public static void assertSame(Path whole, Path run) throws IOException {
        assertThat(Checkpoints.readLatest(run.resolve("checkpoints"))
                        .equals(Checkpoints.readLatest(whole.resolve("checkpoints"))))
                .as("the whole state")
                .isTrue();
        assertThat(metrics(run)).isEqualTo(metrics(whole)).isNotEmpty();
        try (Stream<Path> left = Files.walk(run)) {
            assertThat(left.map(Path::toString))
                    .noneMatch(name -> name.endsWith(".unfinished") || name.endsWith(".replaced"));
        }
    }

    /** Without the time of day, and interim points, which depend on it. */
    private static List<String> metrics(Path run) throws IOException {
        return Files.readAllLines(run.resolve("metrics.jsonl")).stream()
                .filter(line -> !line.contains("\"interim\":true"))
                .map(line -> line.replaceAll(",\"time\":[^,}]*", ""))
                .toList();
    }
}
