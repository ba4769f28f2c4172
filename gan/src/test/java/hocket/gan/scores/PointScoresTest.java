package hocket.gan.scores;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.gan.data.GaussianGrid;
import hocket.gan.data.GaussianRing;
import hocket.gan.data.Optdigits;
import hocket.gan.data.Optdigits.Part;
import hocket.gan.data.Spiral;
import hocket.gan.networks.RingGan;
import hocket.schedulers.Columns;
import hocket.schedulers.Source;
import hocket.schedulers.evaluation.Evaluation;
import hocket.schedulers.settings.Networks;
import hocket.schedulers.settings.SourceDefinition;
import hocket.scopes.Parameters;
import hocket.scopes.Streams;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class PointScoresTest {
    private final Source ring = new GaussianRing(8, 2, 0.1, 64, 1).open("ring", 16, true);
    private final Networks networks = RingGan.usual().latent(4).width(8).build(Columns.of(ring));

    @Test
    void oneGaussianFindsNoModesAndABootstrapAll() {
        Evaluation evaluation =
                new PointScores("ring", "draw", 1000, Optional.empty()).build(networks, Map.of("ring", ring));
        List<Evaluation.Reference> references = evaluation.references(2);
        assertThat(references.get(0).name()).isEqualTo("bootstrap");
        assertThat(references.get(0).scores().get("populated_modes")).isEqualTo(8);
        assertThat(references.get(0).scores().get("high_quality")).isGreaterThan(0.9);
        assertThat(references.get(1).name()).isEqualTo("halves");
        assertThat(references.get(1).rows()).isEqualTo(32);
        assertThat(references.get(1).scores().get("high_quality")).isGreaterThan(0.9);
        assertThat(references.get(2).name()).isEqualTo("gaussian");
        assertThat(references.get(2).scores().get("high_quality")).isLessThan(0.3);
    }

    @Test
    void heldOutPointsExposeABootstrapAndTheirOwnScoresAreThoseOfAGoodGenerator() {
        Optional<SourceDefinition> others = Optional.of(new GaussianRing(8, 2, 0.1, 64, 2));
        Evaluation evaluation = new PointScores("ring", "draw", 60, others).build(networks, Map.of("ring", ring));
        List<Evaluation.Reference> references = evaluation.thorough().references(2);
        assertThat(references.get(0).scores()).containsEntry("nearest_neighbour_ratio", 0.0);
        assertThat(references.get(3).name()).isEqualTo("held_out");
        assertThat(references.get(3).rows()).isEqualTo(60);
        assertThat(references.get(3).scores().get("nearest_neighbour_ratio")).isBetween(0.5, 1.5);
        Optional<SourceDefinition> same = Optional.of(new GaussianRing(8, 2, 0.1, 64, 1));
        assertThatThrownBy(() -> new PointScores("ring", "draw", 60, same).build(networks, Map.of("ring", ring)))
                .hasMessage("held-out points must not be real ones that the generator is trained on, but 64 of 64 are");
        Optional<SourceDefinition> fewer = Optional.of(new GaussianRing(8, 2, 0.1, 32, 1));
        assertThatThrownBy(() -> new PointScores("ring", "draw", 60, fewer).build(networks, Map.of("ring", ring)))
                .hasMessage("held-out points must not be real ones that the generator is trained on, but 32 of 32 are");
    }

    @Test
    void pointsWithoutModesAreScoredByTheirDistribution() {
        Source spiral = new Spiral(2, 1.5, 3, 0.1, 500, 1).open("spiral", 16, true);
        Evaluation evaluation =
                new PointScores("spiral", "draw", 500, Optional.empty()).build(networks, Map.of("spiral", spiral));
        assertThat(evaluation.merit()).hasValue(new Evaluation.Merit("sliced_wasserstein", false));
        assertThat(evaluation.references(1).get(0).scores())
                .containsKeys("sliced_wasserstein", "coverage")
                .doesNotContainKeys("modes", "high_quality");
    }

    @Test
    void theGridsOwnPointsFindItsModes() {
        Source grid = new GaussianGrid(5, 2, 0.05, 2500, 1).open("grid", 16, true);
        Evaluation evaluation =
                new PointScores("grid", "draw", 2500, Optional.empty()).build(networks, Map.of("grid", grid));
        assertThat(evaluation.ranges()).containsEntry("modes", new Evaluation.Range(0, 25, true));
        assertThat(evaluation.references(1).get(0).scores())
                .containsEntry("modes", 25.0)
                .containsEntry("populated_modes", 25.0);
    }

    @Test
    @Tag("engine")
    void aGeneratorThatDrawsOnePointFindsItsMode() {
        Evaluation evaluation =
                new PointScores("ring", "draw", 100, Optional.empty()).build(networks, Map.of("ring", ring));
        assertThat(evaluation.merit()).hasValue(new Evaluation.Merit("sliced_wasserstein", false));
        try (Parameters parameters = Parameters.initialise(networks.graph().declarations(), Streams.seed(3))) {
            parameters.set("generator/out/weight", new double[16]);
            parameters.set("generator/out/bias", 0, 2.2);
            assertThat(evaluation.scores(parameters))
                    .containsAllEntriesOf(Map.of("modes", 1.0, "populated_modes", 1.0, "high_quality", 1.0));
            parameters.set("generator/out/bias", 0, 2.4);
            assertThat(evaluation.scores(parameters))
                    .containsAllEntriesOf(Map.of("modes", 0.0, "populated_modes", 0.0, "high_quality", 0.0));
        }
    }

    @Test
    void feedsAndProgramsThatDoNotFitAreRefusedByName() {
        assertThatThrownBy(() ->
                        new PointScores("rind", "draw", 100, Optional.empty()).build(networks, Map.of("ring", ring)))
                .hasMessage("feed: there is no feed rind; did you mean ring?");
        Source digits = new Optdigits(Part.ALL).open("ring", 64, true);
        assertThatThrownBy(() ->
                        new PointScores("ring", "draw", 100, Optional.empty()).build(networks, Map.of("ring", digits)))
                .hasMessage("feed: must give synthetic points, but ring gives [image (1,8,8) FLOAT32, label () INT64]");
        assertThatThrownBy(() ->
                        new PointScores("ring", "field", 100, Optional.empty()).build(networks, Map.of("ring", ring)))
                .hasMessageStartingWith("program: must draw points (2) from noise alone, but field draws");
        assertThatThrownBy(() -> new PointScores("ring", "draw", 0, Optional.empty()))
                .hasMessage("samples: must be at least 2, was 0");
    }
}
