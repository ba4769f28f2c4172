package hocket.workbench.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.schedulers.checkpoint.Checkpoints;
import hocket.schedulers.evaluation.Evaluation.Merit;
import hocket.schedulers.state.State;
import hocket.workbench.files.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What was best, on the disk: at every moment one whole checkpoint that fits its scores. */
class BestTest {
    private static final Merit RETURN = new Merit("return", true);

    @TempDir
    private Path here = Path.of("");

    private RunFolder folder() {
        return new RunFolder(here);
    }

    private static boolean offer(BestCheckpoint bestCheckpoint, long step, double score) {
        return bestCheckpoint.offer(
                step,
                new TreeMap<>(Map.of("return", score, "length", 3.0)),
                RETURN,
                () -> State.empty().with("step", step));
    }

    private void saved(BestCheckpoint bestCheckpoint, long step) {
        Checkpoints.write(folder().checkpoints(), step, State.empty().with("step", step));
        bestCheckpoint.dropFormer();
    }

    @Test
    void theFirstOfTheBestIsKeptAlone() throws IOException {
        BestCheckpoint bestCheckpoint = BestCheckpoint.upTo(0, folder());
        assertThat(bestCheckpoint.kept()).isEmpty();
        assertThat(offer(bestCheckpoint, 5, Double.NaN)).isFalse();
        assertThat(here.resolve("best.json")).doesNotExist();
        assertThat(offer(bestCheckpoint, 10, Double.NEGATIVE_INFINITY)).isTrue();
        assertThat(offer(bestCheckpoint, 20, -2)).isTrue();
        assertThat(offer(bestCheckpoint, 30, -2)).isFalse();
        assertThat(offer(bestCheckpoint, 40, -3)).isFalse();
        assertThat(offer(bestCheckpoint, 50, Double.NaN)).isFalse();
        assertThat(here.resolve("best.json")).hasContent("{\"step\":20,\"length\":3.0,\"return\":-2.0}");
        assertThat(Checkpoints.numbers(folder().best())).containsExactly(20L);
        assertThat(Checkpoints.readLatest(folder().best()).whole("step")).isEqualTo(20);
        assertThat(BestCheckpoint.of(folder())).isEqualTo(bestCheckpoint.kept());
    }

    @Test
    void aRunThatGoesOnForgetsWhatWasBestBeyondItsCheckpoint() throws IOException {
        BestCheckpoint bestCheckpoint = BestCheckpoint.upTo(0, folder());
        offer(bestCheckpoint, 10, 1);
        saved(bestCheckpoint, 20);
        offer(bestCheckpoint, 30, 2);
        offer(bestCheckpoint, 40, 3);
        assertThat(Checkpoints.numbers(folder().best())).containsExactly(10L, 40L);

        BestCheckpoint again = BestCheckpoint.upTo(20, folder());
        assertThat(again.kept())
                .hasValueSatisfying(kept -> assertThat(kept.step()).isEqualTo(10));
        assertThat(Checkpoints.numbers(folder().best())).containsExactly(10L);
        assertThat(Checkpoints.readLatest(folder().best()).whole("step")).isEqualTo(10);
        assertThat(BestCheckpoint.of(folder())).isEqualTo(again.kept());
        assertThat(offer(again, 30, 2)).isTrue();
        saved(again, 40);
        assertThat(Checkpoints.numbers(folder().best())).containsExactly(30L);
        assertThat(here.resolve("best/former.json")).doesNotExist();
        assertThat(BestCheckpoint.upTo(40, folder()).kept()).isEqualTo(again.kept());
    }

    @Test
    void whatWasBestOnlyBeyondTheCheckpointIsTakenAway() throws IOException {
        BestCheckpoint bestCheckpoint = BestCheckpoint.upTo(0, folder());
        saved(bestCheckpoint, 20);
        offer(bestCheckpoint, 30, 2);
        assertThat(BestCheckpoint.upTo(20, folder()).kept()).isEmpty();
        assertThat(here.resolve("best.json")).doesNotExist();
        assertThat(Checkpoints.numbers(folder().best())).isEmpty();
    }

    @Test
    void aCheckpointThatNoScoresCameToIsNotTheBest() throws IOException {
        BestCheckpoint bestCheckpoint = BestCheckpoint.upTo(0, folder());
        offer(bestCheckpoint, 10, 1);
        Checkpoints.write(folder().best(), 30, State.empty()); // and then the power went
        assertThat(BestCheckpoint.of(folder())).isEqualTo(bestCheckpoint.kept());
        BestCheckpoint.upTo(30, folder());
        assertThat(Checkpoints.numbers(folder().best())).containsExactly(10L);
    }

    @Test
    void aDamagedBestIsRefusedBeforeAnythingIsTrained() throws IOException {
        BestCheckpoint bestCheckpoint = BestCheckpoint.upTo(0, folder());
        offer(bestCheckpoint, 10, 1);
        Path tensors = here.resolve("best/00000010/tensors.safetensors");
        byte[] bytes = Files.readAllBytes(tensors);
        bytes[bytes.length - 1] ^= 1;
        Files.write(tensors, bytes);
        assertThatThrownBy(() -> BestCheckpoint.upTo(20, folder()))
                .isInstanceOf(UserError.class)
                .hasMessageStartingWith("the best checkpoint is damaged: " + tensors + " cannot be read: ")
                .hasMessageEndingWith("; with " + here.resolve("best.json") + " removed, the run continues without it");
        Files.move(here.resolve("best.json"), here.resolve("moved.json"));
        assertThat(BestCheckpoint.upTo(20, folder()).kept()).isEmpty();
    }

    @Test
    void aDamagedFileIsRefusedByName() throws IOException {
        Files.writeString(here.resolve("best.json"), "{\"return\": 3}");
        assertThatThrownBy(() -> BestCheckpoint.of(folder()))
                .isInstanceOf(UserError.class)
                .hasMessage(here.resolve("best.json") + " must name the step of a checkpoint, was null");
        Files.writeString(here.resolve("best.json"), "{");
        assertThatThrownBy(() -> BestCheckpoint.upTo(3, folder()))
                .isInstanceOf(UserError.class)
                .hasMessage(here.resolve("best.json") + " is not JSON");
    }
}
