package hocket.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import hocket.gan.data.Digits;
import hocket.gan.data.ImageGrid;
import hocket.gan.data.Images;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the README's "first hour" says, literally, in an empty folder. */
@Tag("engine")
@Tag("processes")
class FirstHourTest extends PageCommands {
    @Test
    void theCommandsOfTheReadmeWorkInFewerEpochs() throws Exception {
        firstHour("epochs=20", "epochs=4", "epochs=40", "epochs=8");
    }

    @Tag("slow")
    @Test
    void theCommandsOfTheReadmeWorkAsTheyStand() throws Exception {
        firstHour();
    }

    /** Runs all commands of the first hour, with some texts replaced. */
    private void firstHour(String... replaced) throws Exception {
        pictures(folder.resolve("images"), 20);
        Files.writeString(folder.resolve("Alternate.java"), block("README.md", "file: Alternate.java", "java"));
        String commands = block("README.md", "commands: first-hour", "bash");
        assertThat(commands).startsWith("PATH=$PATH:/path/to/hocket");
        for (int i = 0; i < replaced.length; i += 2) {
            assertThat(commands).contains(replaced[i]);
            commands = commands.replace(replaced[i], replaced[i + 1]);
        }
        String said = runHere(commands.substring(commands.indexOf('\n')));
        assertThat(said)
                .contains("on from turn", "sequence(d, g, ema)")
                .containsPattern("wrote 16 samples \\(1,16,16\\) to \\S*samples.png");
        assertThat(Files.readString(folder.resolve("mine.yaml"))).startsWith("# yaml-language-server: $schema=");
        assertThat(Files.readString(folder.resolve("three/experiment.yaml"))).contains("repeat: 3");
        assertThat(Files.readString(folder.resolve("own/experiment.yaml"))).contains("class: Alternate");
        for (String made : new String[] {"hocket.schema.json", "samples.png", "own/plots/losses.svg"}) {
            assertThat(folder.resolve(made)).isNotEmptyFile();
        }
    }

    @Test
    void aRunOnAShorterStreamIsScoredSavedAndStoppedAsTheReadmeSays() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/curl")), "there is no curl here");
        String commands = block("README.md", "commands: online", "bash");
        assertThat(commands).contains("40000");
        assertThat(run(commands.replace("40000", "12000")))
                .containsPattern("(?m)^[0-9]\\.[0-9. ]+$")
                .contains("{\"generator/point\":[", "\"message\":\"saved turn ", "\"message\":\"stops in round ");
    }

    @Tag("slow")
    @Test
    void whatIsLearntFromAStreamFollowsItAsTheReadmeSays() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/curl")), "there is no curl here");
        String said = runAsPeopleDo(block("README.md", "commands: online", "bash"));
        Matcher scores = Pattern.compile("(?m)^[0-9]\\.[0-9. ]+$").matcher(said);
        assertThat(scores.find()).as(said).isTrue();
        double[] before = numbers(scores.group());
        assertThat(scores.find()).as(said).isTrue();
        double[] all = numbers(scores.group());
        double[] after = Arrays.copyOfRange(all, all.length / 2, all.length);
        double learnt = before[before.length - 1];
        assertThat(learnt).as("the least that is possible is 0.63").isBetween(0.55, 0.7);
        assertThat(Arrays.stream(after).max().orElse(0))
                .as("when it moved: %s", said)
                .isGreaterThan(learnt + 0.08);
        assertThat(after[after.length - 1]).as("in the end: %s", said).isLessThan(learnt + 0.07);
        assertThat(said)
                .contains("{\"generator/point\":[", "\"message\":\"saved turn ", "\"message\":\"stops in round ");
    }

    private static double[] numbers(String line) {
        return Arrays.stream(line.strip().split(" "))
                .mapToDouble(Double::parseDouble)
                .toArray();
    }

    /** Some digits as PNG files of 24×24 pixels. */
    private static void pictures(Path into, int count) throws IOException {
        Files.createDirectories(into);
        Images digits = Digits.load();
        for (int i = 0; i < count; i++) {
            new ImageGrid(1, 0, 3).write(into.resolve("digit-" + i + ".png"), digits.image(i), 1, 8, 8);
        }
    }
}
