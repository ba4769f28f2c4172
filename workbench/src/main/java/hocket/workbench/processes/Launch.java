package hocket.workbench.processes;

import hocket.schedulers.checkpoint.Reason;
import hocket.workbench.cluster.Place;
import hocket.workbench.runs.PlainFiles;
import hocket.workbench.runs.RunFolder;
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
     * them work, and those of who started them. Says first which process it is.
     */
    private static final String DETACHED = "trap '' INT HUP; echo \"process $$\" >&2; exec \"$@\"";

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
        return start(
                folder,
                here,
                served,
                ProcessBuilder.Redirect.from(new File("/dev/null")),
                ProcessBuilder.Redirect.DISCARD);
    }

    /**
     * Begins or goes on with a run in a process that ends with this one: {@link Parent} is how it sees that.
     *
     * @param folder that is there
     * @param here what relative paths of the experiment are relative to
     * @param arguments of {@code run}
     * @param columns how wide the lines are in which it says how far it is
     * @throws UncheckedIOException if the system refuses
     */
    static Process beside(RunFolder folder, Path here, List<String> arguments, int columns) {
        List<String> all = new ArrayList<>(arguments);
        all.addAll(List.of("--quiet", Parent.OPTION, Integer.toString(columns)));
        return start(folder, here, all, ProcessBuilder.Redirect.PIPE, ProcessBuilder.Redirect.PIPE);
    }

    private static Process start(
            RunFolder folder,
            Path here,
            List<String> arguments,
            ProcessBuilder.Redirect input,
            ProcessBuilder.Redirect output) {
        List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", DETACHED, "hocket"));
        command.addAll(run(false, arguments));
        try {
            PlainFiles.makeOwn(folder.started()); // the address of its page is said there, with the token
            ProcessBuilder builder = new ProcessBuilder(command);
            builder.environment().keySet().removeAll(Place.VARIABLES); // it is no part of the run that this one may be
            return builder.directory(here.toAbsolutePath().toFile())
                    .redirectInput(input)
                    .redirectOutput(output)
                    .redirectError(
                            ProcessBuilder.Redirect.appendTo(folder.started().toFile()))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(folder + " could not be started: " + Reason.of(e), e);
        }
    }

    /**
     * The command of a {@code run} by the Java and the classes of this process.
     *
     * @param inTerminal whether it writes to the terminal of this one
     */
    public static List<String> run(boolean inTerminal, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> OF_THIS.stream().noneMatch(argument::startsWith))
                .filter(argument -> inTerminal || OF_TERMINAL.stream().noneMatch(argument::startsWith))
                .forEach(command::add);
        command.addAll(List.of("-cp", classPath(), "hocket.workbench.Hocket", "run"));
        command.addAll(arguments);
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
