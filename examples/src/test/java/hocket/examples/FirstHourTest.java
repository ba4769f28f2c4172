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
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the README's "first hour" and the page of schedules say, literally, in an empty folder. */
@Tag("engine")
@Tag("processes")
class FirstHourTest {
    private static final Path ROOT =
            Path.of(System.getProperty("hocket.root", "..")).toAbsolutePath().normalize();

    private static final Pattern RATE = Pattern.compile("\"turn\":\"d\",\"name\":\"rate\",\"value\":([^,}]+)");

    @TempDir
    Path folder;

    @Test
    void theCommandsOfTheReadmeWorkAsTheyStand() throws Exception {
        pictures(folder.resolve("images"), 40);
        Files.writeString(folder.resolve("Alternate.java"), block("README.md", "file: Alternate.java", "java"));
        String commands = block("README.md", "commands: first-hour", "bash");
        assertThat(commands).startsWith("PATH=$PATH:/path/to/hocket");
        String said = run(commands.substring(commands.indexOf('\n')));
        assertThat(said).contains("on from turn", "sequence(d, g, ema)", "wrote 16 samples (1,16,16) to samples.png");
        assertThat(Files.readString(folder.resolve("mine.yaml"))).startsWith("# yaml-language-server: $schema=");
        assertThat(Files.readString(folder.resolve("three/experiment.yaml"))).contains("repeat: 3");
        assertThat(Files.readString(folder.resolve("own/experiment.yaml"))).contains("class: Alternate");
        for (String made : new String[] {"hocket.schema.json", "samples.png", "own/plots/losses.svg"}) {
            assertThat(folder.resolve(made)).isNotEmptyFile();
        }
    }

    @Test
    void theKindsOnThePageOfSchedulesWorkAsTheyStand() throws Exception {
        for (String kind : List.of("Zigzag", "Lasting", "Signum", "Triangle")) {
            Files.writeString(
                    folder.resolve(kind + ".java"), block("docs/schedules.md", "own: " + kind + ".java", "java"));
        }
        Files.writeString(folder.resolve("mine.yaml"), block("docs/schedules.md", "own: mine.yaml", "yaml"));
        String said = run(block("docs/schedules.md", "own: commands", "bash"));
        assertThat(said)
                .contains(
                        "Zigzag[of=[d, g]]",
                        "signum, rate triangle low 1.0e-4 high 0.001",
                        "when Lasting[series=d/loss")
                .contains("done in ");
        List<Double> rates = Files.readAllLines(folder.resolve("mine/metrics.jsonl")).stream()
                .map(RATE::matcher)
                .filter(Matcher::find)
                .map(rate -> Double.valueOf(rate.group(1)))
                .toList();
        // recorded in the first rounds, two updates each, and at the end, ten times through the triangle
        assertThat(rates.subList(0, 3))
                .usingElementComparator((a, b) -> Math.abs(a - b) < 1e-12 ? 0 : 1)
                .containsExactly(1.18e-4, 1.54e-4, 1.9e-4);
    }

    @Test
    void theCommandsOnThePageOfExportsWorkAsTheyStand() throws Exception {
        String said = run(block("docs/export.md", "commands: export", "bash"));
        assertThat(said).contains("# ema/generator of digits-gan", "starts from 12 arrays of ", "generator (12)");
        assertThat(folder.resolve("generator/generator-0000.params")).isNotEmptyFile();
    }

    @Test
    void theCommandsOnThePageOfAgentsWorkAsTheyStand() throws Exception {
        String said = run(block("docs/agents.md", "commands: actors", "bash"));
        assertThat(said).contains("actor    0 of the learner at 127.0.0.1:17070", "done     the learner at ");
        assertThat(Files.readString(folder.resolve("said.txt"))).contains("actor 0 has come", "return_mean");
    }

    @Test
    void theCommandsOnThePageOfLiveRunsWorkAsTheyStand() throws Exception {
        String said = run(block("docs/live.md", "commands: live", "bash"));
        assertThat(said)
                .contains(
                        "d/rate is 5.0E-4, was 0.001",
                        "sequence(d × 2, g)",
                        "forked; it goes on by ",
                        "metrics   equal");
        assertThat(folder.resolve("runs/branch/checkpoints/LATEST")).isNotEmptyFile();
    }

    @Test
    void whatAProgramAsksOfAWorkbenchWorksAsItStands() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/curl")), "there is no curl here");
        String said = run(block("docs/live.md", "commands: workbench", "bash"));
        assertThat(said)
                .contains("is being trained in a process of its own", "\"serving\":\"runs\"", "\"seed\":3")
                .contains("stops in round ");
        assertThat(folder.resolve("runs/ring/start.txt")).isNotEmptyFile();
    }

    @Test
    void theCommandsOnThePageOfManyProcessesWorkAsTheyStand() throws Exception {
        String plan = run(block("docs/distributed.md", "commands: distributed-plan", "bash"));
        assertThat(plan).contains("64 rows, 16 each; 534 kB from each process and back", "a round 1.20 MB");
        assertThat(run(block("docs/distributed.md", "commands: apart", "bash")))
                .contains("each process moves its own", "mean of what g moved and keeps, after each 8 rounds");
        String said = run(block("docs/distributed.md", "commands: launch", "bash"));
        assertThat(said).contains("2 workers; Ctrl-C saves and stops", "3 workers; Ctrl-C", "several is whole");
    }

    @Test
    void theCommandsForThePageOfManyProcessesWorkAsTheyStand() throws Exception {
        String said = run(block("docs/distributed.md", "commands: launch-page", "bash"));
        assertThat(said).contains("saved turn ", "all processes of the run are asked to stop", "watched is whole");
    }

    @Test
    void theCommandsForTensorBoardWorkAsTheyStand() throws Exception {
        String said = run(block("docs/live.md", "commands: tensorboard", "bash"));
        assertThat(said)
                .contains("board    tensorboard --logdir runs", "wrote runs/other/tensorboard/events.out.tfevents.");
        assertThat(folder.resolve("runs/ring/tensorboard")).isDirectoryContaining("glob:**.hocket.0002");
    }

    @Test
    void whatAProgramAsksOfALiveRunWorksAsItStands() throws Exception {
        assumeTrue(
                Files.isExecutable(Path.of("/usr/bin/curl")) && Files.exists(Path.of("/proc/sys/kernel/random/uuid")),
                "there is no curl here, or no Linux");
        String said = run(block("docs/live.md", "commands: curl", "bash"));
        assertThat(said)
                .contains("\"budget\":\"1,000,000 rounds\"", "\"message\":\"d/rate is 5.0E-4, was 0.001\"", "d/loss");
        assertThat(folder.resolve("now.png")).isNotEmptyFile();
        assertThat(folder.resolve("parameters.json")).isNotEmptyFile();
    }

    @Test
    void whatIsLearntFromAStreamFollowsItAsTheReadmeSays() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/curl")), "there is no curl here");
        String said = run(block("README.md", "commands: online", "bash"));
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

    @Test
    void rowsByWebSocketComeAsThePageOfOnlineLearningSays() throws Exception {
        Files.writeString(folder.resolve("Feed.java"), block("docs/online.md", "file: Feed.java", "java"));
        String said = run(block("docs/online.md", "commands: websocket", "bash"));
        assertThat(said).contains("sent 10000 points", "sent 20000 points", "stops in round ");
    }

    private static double[] numbers(String line) {
        return Arrays.stream(line.strip().split(" "))
                .mapToDouble(Double::parseDouble)
                .toArray();
    }

    @Test
    void whatPrometheusNeedsWorksAsItStands() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/curl")), "there is no curl here");
        run(block("docs/live.md", "commands: prometheus", "bash"));
        assertThat(folder.resolve("metrics.txt"))
                .content()
                .contains("hocket_step{run=\"ring\"} ", "jvm_memory_used_bytes");
        assertThat(folder.resolve("prometheus.yml")).content().containsPattern("targets: \\['127.0.0.1:\\d+'\\]");
    }

    /** Runs commands in the folder, with {@code hocket} to be found. */
    private String run(String commands) throws Exception {
        assumeTrue(
                Files.exists(ROOT.resolve("workbench/target/workbench.jar"))
                        && Files.exists(ROOT.resolve("workbench/target/hocket.build")),
                "./hocket is not built yet: run mvn verify rather than mvn test");
        Files.writeString(folder.resolve("commands.sh"), "set -euo pipefail\nPATH=$PATH:" + ROOT + "\n" + commands);
        Path log = folder.resolve("log");
        Process process = new ProcessBuilder("bash", "commands.sh")
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        assertThat(process.waitFor(8, TimeUnit.MINUTES)).isTrue();
        String said = Files.readString(log, StandardCharsets.UTF_8);
        assertThat(process.exitValue()).as(said).isZero();
        assertThat(said).doesNotContain("Exception", "\tat ");
        return said;
    }

    /** Some digits as PNG files of 24×24 pixels. */
    private static void pictures(Path into, int count) throws IOException {
        Files.createDirectories(into);
        Images digits = Digits.load();
        for (int i = 0; i < count; i++) {
            new ImageGrid(1, 0, 3).write(into.resolve("digit-" + i + ".png"), digits.image(i), 1, 8, 8);
        }
    }

    private static String block(String page, String name, String language) throws IOException {
        Matcher matcher = Pattern.compile(
                        "<!-- " + Pattern.quote(name) + " -->\\s*```" + language + "\\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(ROOT.resolve(page)));
        assertThat(matcher.find()).as(name).isTrue();
        return matcher.group(1);
    }
}
