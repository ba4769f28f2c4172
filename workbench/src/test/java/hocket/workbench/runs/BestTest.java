package hocket.workbench.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.schedulers.Evaluation.Merit;
import hocket.schedulers.State;
import hocket.schedulers.checkpoint.Checkpoints;
import hocket.workbench.terminal.Refusal;
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

    private static boolean offer(Best best, long step, double score) {
        return best.offer(
                step,
                new TreeMap<>(Map.of("return", score, "length", 3.0)),
                RETURN,
                () -> State.empty().with("step", step));
    }

    private void saved(Best best, long step) {
        Checkpoints.write(folder().checkpoints(), step, State.empty().with("step", step));
        best.dropFormer();
    }

    @Test
    void theFirstOfTheBestIsKeptAlone() throws IOException {
        Best best = Best.upTo(0, folder());
        assertThat(best.kept()).isEmpty();
        assertThat(offer(best, 5, Double.NaN)).isFalse();
        assertThat(here.resolve("best.json")).doesNotExist();
        assertThat(offer(best, 10, Double.NEGATIVE_INFINITY)).isTrue();
        assertThat(offer(best, 20, -2)).isTrue();
        assertThat(offer(best, 30, -2)).isFalse();
        assertThat(offer(best, 40, -3)).isFalse();
        assertThat(offer(best, 50, Double.NaN)).isFalse();
        assertThat(here.resolve("best.json")).hasContent("{\"step\":20,\"length\":3.0,\"return\":-2.0}");
        assertThat(Checkpoints.numbers(folder().best())).containsExactly(20L);
        assertThat(Checkpoints.readLatest(folder().best()).whole("step")).isEqualTo(20);
        assertThat(Best.of(folder())).isEqualTo(best.kept());
    }

    @Test
    void aRunThatGoesOnForgetsWhatWasBestBeyondItsCheckpoint() throws IOException {
        Best best = Best.upTo(0, folder());
        offer(best, 10, 1);
        saved(best, 20);
        offer(best, 30, 2);
        offer(best, 40, 3);
        assertThat(Checkpoints.numbers(folder().best())).containsExactly(10L, 40L);

        Best again = Best.upTo(20, folder());
        assertThat(again.kept())
                .hasValueSatisfying(kept -> assertThat(kept.step()).isEqualTo(10));
        assertThat(Checkpoints.numbers(folder().best())).containsExactly(10L);
        assertThat(Checkpoints.readLatest(folder().best()).whole("step")).isEqualTo(10);
        assertThat(Best.of(folder())).isEqualTo(again.kept());
        assertThat(offer(again, 30, 2)).isTrue();
        saved(again, 40);
        assertThat(Checkpoints.numbers(folder().best())).containsExactly(30L);
        assertThat(here.resolve("best/former.json")).doesNotExist();
        assertThat(Best.upTo(40, folder()).kept()).isEqualTo(again.kept());
    }

    @Test
    void whatWasBestOnlyBeyondTheCheckpointIsTakenAway() throws IOException {
        Best best = Best.upTo(0, folder());
        saved(best, 20);
        offer(best, 30, 2);
        assertThat(Best.upTo(20, folder()).kept()).isEmpty();
        assertThat(here.resolve("best.json")).doesNotExist();
        assertThat(Checkpoints.numbers(folder().best())).isEmpty();
    }

    @Test
    void aCheckpointThatNoScoresCameToIsNotTheBest() throws IOException {
        Best best = Best.upTo(0, folder());
        offer(best, 10, 1);
        Checkpoints.write(folder().best(), 30, State.empty()); // and then the power went
        assertThat(Best.of(folder())).isEqualTo(best.kept());
        Best.upTo(30, folder());
        assertThat(Checkpoints.numbers(folder().best())).containsExactly(10L);
    }

    @Test
    void aDamagedBestIsRefusedBeforeAnythingIsTrained() throws IOException {
        Best best = Best.upTo(0, folder());
        offer(best, 10, 1);
        Path tensors = here.resolve("best/00000010/tensors.safetensors");
        byte[] bytes = Files.readAllBytes(tensors);
        bytes[bytes.length - 1] ^= 1;
        Files.write(tensors, bytes);
        assertThatThrownBy(() -> Best.upTo(20, folder()))
                .isInstanceOf(Refusal.class)
                .hasMessageStartingWith("the best checkpoint is not whole: " + tensors + " cannot be read: ")
                .hasMessageEndingWith(
                        "; with " + here.resolve("best.json") + " moved away, the run goes on without it");
        Files.move(here.resolve("best.json"), here.resolve("moved.json"));
        assertThat(Best.upTo(20, folder()).kept()).isEmpty();
    }

    @Test
    void aDamagedFileIsRefusedByName() throws IOException {
        Files.writeString(here.resolve("best.json"), "{\"return\": 3}");
        assertThatThrownBy(() -> Best.of(folder()))
                .isInstanceOf(Refusal.class)
                .hasMessage(here.resolve("best.json") + " must say the step of a checkpoint, was null");
        Files.writeString(here.resolve("best.json"), "{");
        assertThatThrownBy(() -> Best.upTo(3, folder()))
                .isInstanceOf(Refusal.class)
                .hasMessage(here.resolve("best.json") + " is no JSON");
    }
}
