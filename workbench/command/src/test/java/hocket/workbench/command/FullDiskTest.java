package hocket.workbench.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import hocket.schedulers.checkpoint.Checkpoints;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A disk that takes no more in the middle of a run: the system refuses files above a limit, as of a full disk or a quota. */
@Tag("engine")
@Tag("processes")
class FullDiskTest {
    /** In bash's blocks of 1,024 bytes: figures and the rows of a replay outgrow it. */
    private static final List<String> LIMITED = List.of("bash", "-c", "ulimit -S -f 250; exec \"$@\"", "bash");

    private static final String SAC = """
            include: pendulum-sac
            algorithm: {total_steps: 12000, collect: 50, hidden: [4, 4], batch: 8}
            evaluation:
            on: [{every: {rounds: 60}, do: [save]}] # the third no longer fits
            """;

    @TempDir
    private static Path here;

    private static Path whole;

    @BeforeAll
    static void trainsWithRoom() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/bin/bash")));
        Files.writeString(here.resolve("stop.yaml"), SAC);
        Files.writeString(
                here.resolve("go-on.yaml"),
                SAC + """
                checkpoints: {if_refused: go-on}
                rings: [{class: hocket.workbench.testing.GateRing, file: GATE, from: 181}]
                """.replace("GATE", here.resolve("gate").toString()));
        Ran ran = Ran.hocket(here, "run", "stop.yaml", "--out", "whole", "--quiet");
        assertThat(ran.status()).as(ran.err()).isZero();
        whole = here.resolve("whole");
    }

    @BeforeEach
    void saysNothingYet() throws IOException {
        Files.deleteIfExists(here.resolve("said.txt"));
    }

    private static Process hocket(List<String> before, String... arguments) throws IOException {
        return Forked.hocket(here, here.resolve("said.txt"), before, arguments);
    }

    private static int ended(Process process) throws InterruptedException {
        assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
        return process.exitValue();
    }

    private static String said() throws IOException {
        return Files.readString(here.resolve("said.txt"));
    }

    @Test
    void theRunStopsWithWhatIsSavedAndGoesOnWhenThereIsRoom() throws Exception {
        assertThat(ended(hocket(LIMITED, "run", "stop.yaml", "--out", "limited", "--quiet")))
                .as(said())
                .isEqualTo(1);
        assertThat(said())
                // of the figures or of a checkpoint, whichever comes first
                .containsPattern("limited/(metrics.jsonl|checkpoints/\\d+) could not be written: File too large")
                .contains("hocket run limited --resume")
                .doesNotContain("\tat ");
        assertThat(Checkpoints.newest(here.resolve("limited/checkpoints")).skipped())
                .isEmpty();
        Ran.ending(0, here, "run", "limited", "--resume", "--quiet");
        SameRun.assertIsAs(whole, here.resolve("limited"));
    }

    @Test
    void theRunGoesOnIfToldToAndWritesAllWhenThereIsRoom() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/prlimit")), "prlimit makes room for a process that runs");
        Process process = hocket(LIMITED, "run", "go-on.yaml", "--out", "went-on", "--quiet");
        while (!(said().contains("not saved: ") && said().contains("metrics are buffered"))) {
            assertThat(process.waitFor(20, TimeUnit.MILLISECONDS)).as(said()).isFalse();
        }
        new ProcessBuilder("/usr/bin/prlimit", "--pid", String.valueOf(process.pid()), "--fsize=unlimited")
                .start()
                .waitFor();
        Files.createFile(here.resolve("gate"));
        assertThat(ended(process)).as(said()).isZero();
        assertThat(said())
                .contains("could not be written: File too large; the run continues")
                .contains(
                        "metrics.jsonl could not be written: File too large; metrics are buffered until writing succeeds")
                .doesNotContain("\tat ");
        SameRun.assertIsAs(whole, here.resolve("went-on"));
    }
}
