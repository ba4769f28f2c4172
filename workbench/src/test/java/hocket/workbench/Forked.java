package hocket.workbench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
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
        return java(Hocket.class);
    }

    /** What starts a class by the Java of this process, before its arguments. */
    public static List<String> java(Class<?> main) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx512m", "-XX:-UsePerfData"));
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> argument.startsWith("-XX:"))
                .forEach(command::add);
        if (ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent()) {
            command.addAll(List.of("--add-modules", "jdk.incubator.vector"));
        }
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        return command;
    }
}
