package hocket.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The commands of pages on live runs and online learning, literally, in an empty folder. */
@Tag("engine")
@Tag("processes")
class LivePagesTest extends PageCommands {
    @Test
    void theTutorialWorksOnFewerDigitsInFewerEpochs() throws Exception {
        follow(
                "epochs=60",
                "epochs=4 --set feeds.digits.part=test",
                "budget: {epochs: {digits: 120}}",
                "budget: {epochs: {digits: 8}}\nfeeds: {digits: {part: test}}",
                "sleep 20",
                "sleep 1");
    }

    @Tag("slow")
    @Test
    void theTutorialDrawsDigitsAsItStands() throws Exception {
        String said = follow();
        Matcher distance = Pattern.compile("frechet_distance (\\S+),").matcher(said);
        assertThat(distance.find()).as(said).isTrue();
        assertThat(Double.parseDouble(distance.group(1))).isLessThan(0.3);
    }

    /** Runs all of the tutorial, with some texts of it replaced. */
    private String follow(String... replaced) throws Exception {
        StringBuilder commands = new StringBuilder();
        for (String name : List.of("train", "sample", "change", "steer", "compare", "export")) {
            commands.append(block("docs/tutorial.md", "commands: " + name, "bash"));
        }
        String all = commands.toString();
        String file = block("docs/tutorial.md", "file: mine.yaml", "yaml");
        for (int i = 0; i < replaced.length; i += 2) {
            assertThat(all + file).contains(replaced[i]);
            all = all.replace(replaced[i], replaced[i + 1]);
            file = file.replace(replaced[i], replaced[i + 1]);
        }
        Files.writeString(folder.resolve("mine.yaml"), file);
        String said = runHere(all);
        assertThat(said)
                .contains("nothing looks wrong", "g/rate is 1e-4, was ", "sequence(d, g, ema)")
                .contains("# ema/generator of mine")
                .doesNotContain("warning:");
        for (String made : List.of("digits.png", "second/samples/latest.png", "second/plots/losses.svg")) {
            assertThat(folder.resolve(made)).isNotEmptyFile();
        }
        assertThat(folder.resolve("third/checkpoints/LATEST")).isNotEmptyFile();
        assertThat(folder.resolve("generator/generator.onnx")).isNotEmptyFile();
        return said;
    }

    @Tag("slow")
    @Test
    void theCommandsOnThePageOfLiveRunsWorkAsTheyStand() throws Exception {
        String said = run(block("docs/live.md", "commands: live", "bash"));
        assertThat(said)
                .contains(
                        "d/rate is 5e-4, was 0.001", "sequence(d × 2, g)", "forked; start it with ", "metrics   equal");
        assertThat(folder.resolve("runs/branch/checkpoints/LATEST")).isNotEmptyFile();
    }

    @Tag("slow")
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
    void whatAProgramAsksOfALiveRunWorksAsItStands() throws Exception {
        assumeTrue(
                Files.isExecutable(Path.of("/usr/bin/curl")) && Files.exists(Path.of("/proc/sys/kernel/random/uuid")),
                "there is no curl here, or no Linux");
        String said = run(block("docs/live.md", "commands: curl", "bash"));
        assertThat(said)
                .contains("\"budget\":\"1,000,000 rounds\"", "\"message\":\"d/rate is 5e-4, was 0.001\"", "d/loss");
        assertThat(folder.resolve("now.png")).isNotEmptyFile();
        assertThat(folder.resolve("parameters.json")).isNotEmptyFile();
    }

    @Tag("slow")
    @Test
    void rowsByWebSocketComeAsThePageOfOnlineLearningSays() throws Exception {
        Files.writeString(folder.resolve("Feed.java"), block("docs/online.md", "file: Feed.java", "java"));
        String said = run(block("docs/online.md", "commands: websocket", "bash"));
        assertThat(said).contains("sent 10000 points", "sent 20000 points", "stops in round ");
    }

    @Test
    void aKilledRunContinuesByTheScriptOnThePageOfOperatingTheServer() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/curl")), "there is no curl here");
        Files.writeString(folder.resolve("keep.sh"), block("docs/operating.md", "file: keep.sh", "bash"));
        String said = run(block("docs/operating.md", "commands: operating", "bash"));
        assertThat(said).contains("status 137", "status 143", "2 sessions", "ring is whole");
        assertThat(folder.resolve("healthy.json")).content().contains("\"openapi\"");
    }

    @Tag("slow")
    @Test
    void whatPrometheusNeedsWorksAsItStands() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/curl")), "there is no curl here");
        run(block("docs/operating.md", "commands: prometheus", "bash"));
        assertThat(folder.resolve("metrics.txt"))
                .content()
                .contains("hocket_step{run=\"ring\"} ", "jvm_memory_used_bytes");
        assertThat(folder.resolve("prometheus.yml")).content().containsPattern("targets: \\['127.0.0.1:\\d+'\\]");
    }
}
