package hocket.workbench.files.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.schedulers.Setup;
import hocket.schedulers.SourceDescription;
import hocket.scopes.Shape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Feeds whose rows are packs, as files write them. */
class PackedFeedsInFilesTest {
    private static final String FILE = """
            name: packed
            network:
              class: Gan
              latent: 4
              generator: {mlp: {width: 8}}
              discriminator: {mlp: {width: 8}}
              pack: 3
            feeds:
              grid: {class: GaussianGrid, rows: 300, batch: 10, pack: 3}
            turns:
              d: {program: discriminator, updates: {"discriminator/**": {adam: {rate: 1e-3}}}}
              g: {program: generator, updates: {"generator/**": {adam: {rate: 1e-3}}}}
            plan: {sequence: [d, g]}
            budget: {rounds: 4}
            samples: draw
            evaluation: {class: PointScores, feed: grid, program: draw, samples: 50}
            """;

    @TempDir
    Path here = Path.of("");

    private Setup built(String... changes) throws IOException {
        Files.writeString(here.resolve("packed.yaml"), FILE);
        return ExperimentFile.read(
                        "packed.yaml", List.of(changes), new ExperimentFile.Surroundings(here, List.of(), Map.of()))
                .definition(ExperimentFile.TRAIN)
                .setup();
    }

    @Test
    void aBatchIsOfPacksAndTheScoresAreOfSingleRows() throws IOException {
        Setup setup = built();
        SourceDescription grid = setup.feeds().get(0).source();
        assertThat(grid.columns()).hasToString("[point (6) FLOAT32]");
        assertThat(grid.batch()).isEqualTo(10);
        assertThat(grid.drawsAnEpoch()).hasValue(10);
        assertThat(setup.networks().program("draw").targets().get(0).shape()).isEqualTo(Shape.of(2));
        assertThat(setup.evaluation().orElseThrow().references(1).get(0).scores())
                .containsKey("modes");
    }

    @Test
    void theFeedAndTheNetworkMustAgree() {
        assertThatThrownBy(() -> built("feeds.grid.pack=1")).hasMessageContaining("set pack: 3 of its feed, too");
        assertThatThrownBy(() -> built("feeds.grid.pack=0"))
                .hasMessageContaining("pack: must be a whole number from 1 to 100, was 0");
    }
}
