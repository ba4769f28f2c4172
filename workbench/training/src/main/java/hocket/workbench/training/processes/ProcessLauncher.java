package hocket.workbench.training.processes;

import hocket.schedulers.checkpoint.FileWork;
import hocket.workbench.runs.RegularFiles;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.training.ProcessRole;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Trains runs in processes of their own, with the Java and the classes of this process. */
public final class ProcessLauncher {
    /**
     * Ignores Ctrl-C and closed terminals in started runs; other signals, and the commands of their starter, still
     * work.
     */
    private static final String DETACHED = "trap '' INT HUP; ";

    /** A detached process prints its number first. */
    private static final String NAMED = DETACHED + "echo \"process $$\" >&2; ";

    /**
     * Variables of the launcher that concern this process alone: its terminal, and the filter of its standard error.
     */
    private static final List<String> OF_TERMINAL =
            List.of("-Dhocket.filter=", "-Dhocket.terminal=", "-Dhocket.columns=");

    /** Variables that concern this process, whatever its output is. */
    private static final List<String> OF_THIS = List.of("-javaagent", "-agentlib");

    /** A detached run ignores closed terminals, and is served at a free port. */
    private static final List<String> SERVED = List.of("--serve", "0", "--quiet");

    private ProcessLauncher() {}

    /**
     * Resumes a run, which outlives this process and is served at a free port.
     *
     * @throws UncheckedIOException if the process cannot be started
     */
    public static Process resume(RunFolder folder) {
        return outliving(folder, Path.of(""), List.of(absolute(folder.path()), "--resume"));
    }

    /**
     * Begins a run, which outlives this process and is served at a free port.
     *
     * @param folder an existing empty folder
     * @param here the folder to which relative paths of the experiment are relative
     * @param experiment a built-in name, or a file
     * @param changes each {@code key=value}
     * @throws UncheckedIOException if the process cannot be started
     */
    public static Process begin(RunFolder folder, Path here, String experiment, List<String> changes) {
        List<String> arguments = new ArrayList<>(List.of(experiment, "--out", absolute(folder.path())));
        changes.forEach(change -> arguments.addAll(List.of("--set", change)));
        return outliving(folder, here, arguments);
    }

    private static Process outliving(RunFolder folder, Path here, List<String> arguments) {
        List<String> served = new ArrayList<>(arguments);
        served.addAll(SERVED);
        return FileWork.get(folder + " could not be started", () -> {
            RegularFiles.makeOwn(folder.started()); // the address of its page is printed there, with the token
            return detached(NAMED, here, run(false, served))
                    .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(
                            ProcessBuilder.Redirect.appendTo(folder.started().toFile()))
                    .start();
        });
    }

    /**
     * Starts a process that trains runs and ends with this one; its side is {@link ParentProcess}.
     *
     * @param here the folder to which relative paths of the experiments are relative
     * @param columns width of its progress lines
     * @throws IOException if the process cannot be started
     */
    static Process slot(Path here, int columns) throws IOException {
        return detached(DETACHED, here, hocket(false, List.of(ParentProcess.COMMAND, Integer.toString(columns))))
                .start();
    }

    /** Returns a command that ignores Ctrl-C and closed terminals. */
    public static List<String> undisturbed(List<String> command) {
        return by(DETACHED, command);
    }

    private static List<String> by(String shell, List<String> command) {
        List<String> all = new ArrayList<>(List.of("/bin/sh", "-c", shell + "exec \"$@\"", "hocket"));
        all.addAll(command);
        return all;
    }

    private static ProcessBuilder detached(String by, Path here, List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(by(by, command))
                .directory(here.toAbsolutePath().toFile());
        ProcessRole.all() // it does not belong to the run of this process
                .forEach(role -> builder.environment().keySet().removeAll(role.variables()));
        return builder;
    }

    /**
     * Returns the command of a {@code run} with the Java and the classes of this process.
     *
     * @param inTerminal whether it writes to the terminal of this process
     */
    public static List<String> run(boolean inTerminal, List<String> arguments) {
        List<String> words = new ArrayList<>(List.of("run"));
        words.addAll(arguments);
        return hocket(inTerminal, words);
    }

    /** Returns the command of a process that runs these words on one core and reports to this process. */
    public static List<String> onOneCore(List<String> words) {
        return hocket(false, List.of("-XX:ActiveProcessorCount=1"), words);
    }

    private static List<String> hocket(boolean inTerminal, List<String> words) {
        return hocket(inTerminal, List.of(), words);
    }

    private static List<String> hocket(boolean inTerminal, List<String> options, List<String> words) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> OF_THIS.stream().noneMatch(argument::startsWith))
                .filter(argument -> inTerminal || OF_TERMINAL.stream().noneMatch(argument::startsWith))
                .forEach(command::add);
        command.addAll(options); // the last of a kind counts
        command.addAll(List.of("-cp", classPath(), "hocket.workbench.command.Hocket"));
        command.addAll(words);
        return command;
    }

    private static String classPath() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .map(entry -> absolute(Path.of(entry)))
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static String absolute(Path path) {
        return path.toAbsolutePath().normalize().toString();
    }
}
