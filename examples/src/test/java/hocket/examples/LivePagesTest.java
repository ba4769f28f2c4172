package hocket.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The commands of pages on live runs and online learning, literally, in an empty folder. */
@Tag("engine")
@Tag("processes")
class LivePagesTest extends PageCommands {
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

    @Test
    void rowsByWebSocketComeAsThePageOfOnlineLearningSays() throws Exception {
        Files.writeString(folder.resolve("Feed.java"), block("docs/online.md", "file: Feed.java", "java"));
        String said = run(block("docs/online.md", "commands: websocket", "bash"));
        assertThat(said).contains("sent 10000 points", "sent 20000 points", "stops in round ");
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
}
