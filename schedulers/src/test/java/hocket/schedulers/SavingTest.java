package hocket.schedulers;

import static hocket.schedulers.Budget.rounds;
import static hocket.schedulers.Trigger.everyRounds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.schedulers.checkpoint.CheckpointPolicy;
import hocket.schedulers.checkpoint.CheckpointPolicy.IfRefused;
import hocket.schedulers.checkpoint.Checkpoints;
import hocket.schedulers.rings.Beside;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checkpoints that are written while training goes on are those that it would have waited for. */
class SavingTest {
    private static final CheckpointPolicy BACKGROUND = new CheckpointPolicy(100, 0, 0, true, IfRefused.STOP);

    @TempDir
    private Path here;

    private final List<Long> saved = new ArrayList<>();
    private final List<String> refused = new ArrayList<>();

    private void train(Path folder, CheckpointPolicy policy) {
        try (LiveRun run = gan().begin(7, 1)) {
            run.scheduler()
                    .saveTo(folder, policy)
                    .ring(Beside.save(everyRounds(1)))
                    .listen(event -> {
                        if (event instanceof Event.Saved at) {
                            saved.add(at.at().step());
                        } else if (event instanceof Event.NotSaved not) {
                            refused.add(not.why());
                        }
                    });
            run.run();
        }
    }

    private static Definition gan() {
        return () -> {
            Toy.Gan gan = Toy.gan();
            return Setup.of(gan.graph(), Plan.sequence(gan.d().times(2), gan.g(), gan.ema()), rounds(12))
                    .copy("generator/**", "ema/generator/**")
                    .feed(Toy.rows("image", 24, 4).batches(8), Draw.EACH_TURN);
        };
    }

    @Test
    void theyAreTheSameFilesAndHeardInTheirOrder() throws IOException {
        train(here.resolve("waiting"), new CheckpointPolicy(100, 0, 0, false, IfRefused.STOP));
        List<Long> waiting = List.copyOf(saved);
        saved.clear();
        train(here.resolve("background"), BACKGROUND);
        assertThat(saved).isEqualTo(waiting).hasSize(12);
        assertThat(Checkpoints.numbers(here.resolve("background"))).isEqualTo(waiting);
        for (long number : waiting) {
            for (String file : List.of("state.json", "tensors.safetensors", "SHA256SUMS")) {
                String place = String.format("%08d/%s", number, file);
                assertThat(here.resolve("background").resolve(place))
                        .hasSameBinaryContentAs(here.resolve("waiting").resolve(place));
            }
        }
    }

    @Test
    void aDiskThatRefusesStopsTheRunOrIsHeardOf() throws IOException {
        Path file = Files.writeString(here.resolve("file"), "");
        assertThatThrownBy(() -> train(file.resolve("checkpoints"), BACKGROUND))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("could not be written");
        assertThat(refused).isEmpty();
        train(file.resolve("checkpoints"), new CheckpointPolicy(3, 0, 0, true, IfRefused.GO_ON));
        assertThat(saved).isEmpty();
        assertThat(refused).hasSize(12).allMatch(why -> why.contains("could not be written"));
    }

    @Test
    void theFolderOfAnotherRunIsRefusedAndItsOwnIsNot() {
        train(here, BACKGROUND);
        assertThatThrownBy(() -> train(here, BACKGROUND))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(here + " holds checkpoints of another run, [")
                .hasMessageContaining("go on from them by resumeFrom, or save to another folder");
    }
}
