package hocket.programs.mxnet;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** A second JVM, for tests of what happens when the engine is loaded: in one process that happens only once. */
public final class Fork {
    /** @param output standard output and standard error together */
    public record Result(int status, String output) {}

    private Fork() {}

    /**
     * Runs a class with this JVM's class path, or what is left of it.
     *
     * @param classPath which entries to keep
     * @throws IllegalStateException if it does not end within five minutes
     */
    public static Result run(
            Class<?> main,
            List<String> options,
            Map<String, String> environment,
            Predicate<String> classPath,
            String... arguments)
            throws IOException, InterruptedException {
        String kept = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(classPath)
                .collect(Collectors.joining(File.pathSeparator));
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("--enable-native-access=ALL-UNNAMED"); // which later Java versions warn of, and the launcher gives
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")); // ends before the second compiler pays
        command.addAll(options);
        command.addAll(List.of("-cp", kept, main.getName()));
        command.addAll(List.of(arguments));
        Path output = Files.createTempFile("fork", ".txt");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            if (!process.waitFor(5, TimeUnit.MINUTES)) {
                throw new IllegalStateException("still running after five minutes: " + Files.readString(output));
            }
            return new Result(process.exitValue(), Files.readString(output));
        } finally {
            process.destroyForcibly();
            Files.delete(output);
        }
    }
}
