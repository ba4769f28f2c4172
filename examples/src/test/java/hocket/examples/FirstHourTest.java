package hocket.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import hocket.gan.data.Digits;
import hocket.gan.data.ImageGrid;
import hocket.gan.data.Images;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the README's "first hour" says, literally, in an empty folder with a folder of pictures in it. */
@Tag("engine")
@Tag("processes")
class FirstHourTest {
    private static final Path ROOT =
            Path.of(System.getProperty("hocket.root", "..")).toAbsolutePath().normalize();

    @TempDir
    Path folder;

    @Test
    void theCommandsOfTheReadmeWorkAsTheyStand() throws Exception {
        assumeTrue(
                Files.exists(ROOT.resolve("workbench/target/workbench.jar"))
                        && Files.exists(ROOT.resolve("workbench/target/hocket.build")),
                "./hocket is not built yet: run mvn verify rather than mvn test");
        pictures(folder.resolve("images"), 40);
        Files.writeString(folder.resolve("Alternate.java"), block("file: Alternate.java", "java"));
        String commands = block("commands: first-hour", "bash")
                .replaceFirst(
                        "PATH=\\$PATH:/path/to/hocket", "PATH=\\$PATH:" + Matcher.quoteReplacement(ROOT.toString()));
        Files.writeString(folder.resolve("commands.sh"), "set -euo pipefail\n" + commands);

        Path log = folder.resolve("log");
        Process process = new ProcessBuilder("bash", "commands.sh")
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        assertThat(process.waitFor(8, TimeUnit.MINUTES)).isTrue();
        String said = Files.readString(log, StandardCharsets.UTF_8);
        assertThat(process.exitValue()).as(said).isZero();
        assertThat(said).contains("on from turn", "sequence(d, g, ema)", "wrote 16 samples (1,16,16) to samples.png");
        assertThat(said).doesNotContain("Exception", "\tat ");
        assertThat(Files.readString(folder.resolve("mine.yaml"))).startsWith("# yaml-language-server: $schema=");
        assertThat(Files.readString(folder.resolve("three/experiment.yaml"))).contains("repeat: 3");
        assertThat(Files.readString(folder.resolve("own/experiment.yaml"))).contains("class: Alternate");
        for (String made : new String[] {"hocket.schema.json", "samples.png", "own/plots/losses.svg"}) {
            assertThat(folder.resolve(made)).isNotEmptyFile();
        }
    }

    /** Some digits as PNG files of 24×24 pixels. */
    private static void pictures(Path into, int count) throws IOException {
        Files.createDirectories(into);
        Images digits = Digits.load();
        for (int i = 0; i < count; i++) {
            new ImageGrid(1, 0, 3).write(into.resolve("digit-" + i + ".png"), digits.image(i), 1, 8, 8);
        }
    }

    private static String block(String name, String language) throws IOException {
        Matcher matcher = Pattern.compile(
                        "<!-- " + Pattern.quote(name) + " -->\\s*```" + language + "\\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(ROOT.resolve("README.md")));
        assertThat(matcher.find()).as(name).isTrue();
        return matcher.group(1);
    }
}
