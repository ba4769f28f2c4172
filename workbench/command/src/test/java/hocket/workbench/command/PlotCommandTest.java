package hocket.workbench.command;

import static org.assertj.core.api.Assertions.assertThat;

import hocket.workbench.testing.SyntheticRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlotCommandTest {
    @TempDir
    private Path here;

    @BeforeEach
    void makeRuns() throws IOException {
        SyntheticRun.in(here.resolve("runs/a"))
                .reports("d", "loss", 1, 2)
                .samples("epoch-0001.png", 0)
                .samples("epoch-0002.png", 1);
        SyntheticRun.in(here.resolve("runs/b")).reports("d", "loss", 1, 2, 3);
    }

    @Test
    void aRunIsDrawnIntoItsOwnFolderAndEveryFileNamed() {
        Ran ran = Ran.hocket(here, "plot", "runs/a");
        assertThat(ran.err()).isEmpty();
        assertThat(ran.status()).isZero();
        Path plots = here.resolve("runs/a/plots");
        assertThat(ran.outLines())
                .containsExactly(
                        "wrote " + plots.resolve("samples.gif"),
                        "wrote " + plots.resolve("losses.svg"),
                        "wrote " + plots.resolve("losses.png"));
        assertThat(plots).isDirectoryContaining("glob:**samples.gif").isDirectoryContaining("glob:**losses.png");
    }

    @Test
    void severalRunsAreDrawnTogetherWhereOneSays() {
        Ran ran = Ran.hocket(here, "plot", "runs/a", "runs/b", "--out", "new/plots", "--series", "d/*");
        assertThat(ran.status()).isZero();
        assertThat(here.resolve("new/plots")).isDirectoryContaining("glob:**losses.svg");
        assertThat(here.resolve("new/plots/samples.gif")).doesNotExist();
    }

    @Test
    void whatCannotBeDrawnIsRefusedInOneLineAndNothingIsMade() throws IOException {
        Files.writeString(here.resolve("taken"), "");
        assertThat(refused("plot", "runs/none"))
                .isEqualTo(here.resolve("runs/none") + " is not a run folder: it has no metrics.jsonl");
        assertThat(refused("plot", "runs/a", "--out", "taken"))
                .isEqualTo(here.resolve("taken") + " is a file: choose another --out");
        assertThat(refused("plot", "runs/a", "--series", "e/*"))
                .isEqualTo("no series fits --series e/*; there are d/loss");
        assertThat(refused("plot")).contains("RUN");
        Path metrics = here.resolve("runs/b/metrics.jsonl");
        Files.writeString(metrics, "?\n" + Files.readString(metrics));
        assertThat(refused("plot", "runs/b")).isEqualTo(metrics + ":1: is not a metric: it is not JSON");
        assertThat(here.resolve("runs/a/plots")).doesNotExist();
        assertThat(here.resolve("runs/b/plots")).doesNotExist();
    }

    private String refused(String... arguments) {
        Ran ran = Ran.hocket(here, arguments);
        assertThat(ran.status()).isEqualTo(2);
        assertThat(ran.errLines()).hasSize(1);
        assertThat(ran.out()).isEmpty();
        return ran.err().strip().replaceFirst("^hocket: ", "");
    }
}
