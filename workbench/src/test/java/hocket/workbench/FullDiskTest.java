package hocket.workbench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import hocket.schedulers.checkpoint.Checkpoints;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A disk that takes no more in the middle of a run: the system refuses files above a limit, as of a full disk or a quota. */
@Tag("engine")
@Tag("processes")
class FullDiskTest {
    /** In bash's blocks of 1,024 bytes: figures and the rows of a replay outgrow it. */
    private static final List<String> LIMITED = List.of("bash", "-c", "ulimit -f 250; exec \"$@\"", "bash");

    private static final String SAC = """
            include: pendulum-sac
            algorithm: {total_steps: 12000, collect: 50, hidden: [4, 4], batch: 8}
            on: [{every: {rounds: 60}, do: [save]}]
            """;

    @TempDir
    private Path here;

    private int run(List<String> before, String... arguments) throws IOException, InterruptedException {
        Process process = Forked.hocket(here, here.resolve("said.txt"), before, arguments);
        assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
        return process.exitValue();
    }

    private String said() throws IOException {
        return Files.readString(here.resolve("said.txt"));
    }

    @Test
    void theRunStopsWithWhatIsSavedAndGoesOnWhenThereIsRoom() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/bin/bash")));
        Files.writeString(here.resolve("own.yaml"), SAC);
        assertThat(run(List.of(), "run", "own.yaml", "--out", "whole", "--quiet"))
                .isZero();
        Files.delete(here.resolve("said.txt"));
        assertThat(run(LIMITED, "run", "own.yaml", "--out", "limited", "--quiet"))
                .as(said())
                .isEqualTo(1);
        assertThat(said())
                // of the figures or of a checkpoint, whichever comes first
                .containsPattern("limited/(metrics.jsonl|checkpoints/\\d+) could not be written: File too large")
                .contains("hocket run limited --resume")
                .doesNotContain("\tat ");
        Path checkpoints = here.resolve("limited/checkpoints");
        Checkpoints.Found found = Checkpoints.newest(checkpoints);
        assertThat(found.skipped()).isEmpty();
        assertThat(run(List.of(), "run", "limited", "--resume", "--quiet"))
                .as(said())
                .isZero();
        assertThat(Checkpoints.readLatest(checkpoints)
                        .equals(Checkpoints.readLatest(here.resolve("whole/checkpoints"))))
                .isTrue();
    }
}
