package hocket.workbench.processes;

import hocket.schedulers.checkpoint.DiskFailureText;
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

/** Trains runs in processes of their own: by the Java and the classes of this process. */
public final class Launch {
    /**
     * Ctrl-C and the end of a terminal are for who sits there, not for runs that were started beside; the system's ways to stop
     * them work, and those of who started them.
     */
    private static final String DETACHED = "trap '' INT HUP; ";

    /** One that outlives this process says first which it is. */
    private static final String NAMED = DETACHED + "echo \"process $$\" >&2; ";

    /** What the launcher says of this process alone: its terminal, and the filter before its standard error. */
    private static final List<String> OF_TERMINAL =
            List.of("-Dhocket.filter=", "-Dhocket.terminal=", "-Dhocket.columns=");

    /** What is of this process whatever it writes to. */
    private static final List<String> OF_THIS = List.of("-javaagent", "-agentlib");

    /** One that outlives this process listens to nobody, and is served at a port that is free. */
    private static final List<String> SERVED = List.of("--serve", "0", "--quiet");

    private Launch() {}

    /**
     * Goes on with a run, which outlives this process and is served at a port that is free.
     *
     * @throws UncheckedIOException if the system refuses
     */
    public static Process resume(RunFolder folder) {
        return outliving(folder, Path.of(""), List.of(absolute(folder.path()), "--resume"));
    }

    /**
     * Begins one, likewise.
     *
     * @param folder that is there, and empty
     * @param here what relative paths of the experiment are relative to
     * @param experiment a name that is built in, or a file
     * @param changes each {@code key=value}
     * @throws UncheckedIOException if the system refuses
     */
    public static Process begin(RunFolder folder, Path here, String experiment, List<String> changes) {
        List<String> arguments = new ArrayList<>(List.of(experiment, "--out", absolute(folder.path())));
        changes.forEach(change -> arguments.addAll(List.of("--set", change)));
        return outliving(folder, here, arguments);
    }

    private static Process outliving(RunFolder folder, Path here, List<String> arguments) {
        List<String> served = new ArrayList<>(arguments);
        served.addAll(SERVED);
        try {
            RegularFiles.makeOwn(folder.started()); // the address of its page is said there, with the token
            return detached(NAMED, here, run(false, served))
                    .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(
                            ProcessBuilder.Redirect.appendTo(folder.started().toFile()))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(folder + " could not be started: " + DiskFailureText.of(e), e);
        }
    }

    /**
     * Starts a process that trains runs and ends with this one: {@link Parent} is how it sees that.
     *
     * @param here what relative paths of the experiments are relative to
     * @param columns how wide the lines are in which it says how far it is
     * @throws IOException if the system refuses
     */
    static Process slot(Path here, int columns) throws IOException {
        return detached(DETACHED, here, hocket(false, List.of(Parent.COMMAND, Integer.toString(columns))))
                .start();
    }

    /** A command for which Ctrl-C and the end of a terminal are not. */
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
        ProcessRole.all() // it is no part of the run that this one may be
                .forEach(role -> builder.environment().keySet().removeAll(role.variables()));
        return builder;
    }

    /**
     * The command of a {@code run} by the Java and the classes of this process.
     *
     * @param inTerminal whether it writes to the terminal of this one
     */
    public static List<String> run(boolean inTerminal, List<String> arguments) {
        List<String> words = new ArrayList<>(List.of("run"));
        words.addAll(arguments);
        return hocket(inTerminal, words);
    }

    /** The command of one that does what the words say on one core, and says it to this process. */
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
        command.addAll(List.of("-cp", classPath(), "hocket.workbench.Hocket"));
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
