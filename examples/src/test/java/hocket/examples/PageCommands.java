package hocket.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;

/** Runs what pages say, literally, in an empty folder. */
abstract class PageCommands {
    static final Path ROOT =
            Path.of(System.getProperty("hocket.root", "..")).toAbsolutePath().normalize();

    /**
     * For commands that train for a moment only: what the second compiler and the vectors need to become fast, and the check of
     * the bytecode that javac made, would take most of their time. They have one core, as two of them run at a time. Processes
     * that they start inherit these options.
     */
    static final String SHORT =
            "-XX:ActiveProcessorCount=1 -Dhocket.kernels=plain " + System.getProperty("hocket.short", "");

    /** The compiler by its own first compiler: it compiles a file or two. */
    private static final String JAVAC =
            "javac() { command javac -J-XX:TieredStopAtLevel=1 -J-XX:+UseSerialGC -J-XX:ActiveProcessorCount=1 \"$@\"; }\n";

    @TempDir
    Path folder;

    /** Runs commands in the folder, with {@code hocket} to be found. */
    final String run(String commands) throws Exception {
        return run(commands, SHORT);
    }

    /** Runs them as a person does. */
    final String runAsPeopleDo(String commands) throws Exception {
        return run(commands, "");
    }

    /** Runs commands by a {@link CommandServer}. */
    final String runHere(String commands) throws Exception {
        try (CommandServer server = CommandServer.start()) {
            return run(server.shellFunction() + commands, SHORT);
        }
    }

    private String run(String commands, String options) throws Exception {
        assumeTrue(
                Files.exists(ROOT.resolve("distributed/target/distributed.jar"))
                        && Files.exists(ROOT.resolve("distributed/target/hocket.build")),
                "./hocket is not built yet: run mvn verify rather than mvn test");
        Files.writeString(
                folder.resolve("commands.sh"), "set -euo pipefail\nPATH=$PATH:" + ROOT + "\n" + JAVAC + commands);
        Path log = folder.resolve("log");
        ProcessBuilder builder = new ProcessBuilder("bash", "commands.sh")
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().put("HOCKET_JAVA_OPTIONS", options);
        Process process = builder.start();
        assertThat(process.waitFor(8, TimeUnit.MINUTES)).isTrue();
        String said = Files.readString(log, StandardCharsets.UTF_8);
        assertThat(process.exitValue()).as(said).isZero();
        assertThat(said).doesNotContain("Exception", "\tat ", "incubator");
        return said;
    }

    static String block(String page, String name, String language) throws IOException {
        Matcher matcher = Pattern.compile(
                        "<!-- " + Pattern.quote(name) + " -->\\s*```" + language + "\\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(ROOT.resolve(page)));
        assertThat(matcher.find()).as(name).isTrue();
        return matcher.group(1);
    }
}
