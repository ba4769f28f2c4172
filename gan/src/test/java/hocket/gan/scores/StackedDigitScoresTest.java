package hocket.gan.scores;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import hocket.gan.data.Optdigits;
import hocket.gan.data.Optdigits.Part;
import hocket.gan.data.StackedDigits;
import hocket.gan.networks.Dcgan;
import hocket.schedulers.Columns;
import hocket.schedulers.Source;
import hocket.schedulers.evaluation.Evaluation;
import hocket.schedulers.settings.Networks;
import hocket.scopes.Parameters;
import hocket.scopes.Streams;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class StackedDigitScoresTest {
    private final Source stacked = new StackedDigits(Part.ALL, 3000, false, 1).open("stacked", 16, true);
    private final Networks networks = Dcgan.usual().latent(4).width(4).build(Columns.of(stacked));

    private Evaluation evaluation(int samples) {
        return new StackedDigitScores("stacked", "draw", samples).build(networks, Map.of("stacked", stacked));
    }

    @Test
    void modesAreReadFromTheDigitsOfTheChannels() {
        float[] p = new float[2 * 3 * 10];
        int[] digits = {4, 0, 7, 9, 9, 9};
        for (int i = 0; i < digits.length; i++) {
            p[10 * i + digits[i]] = 1;
        }
        ModeCoverage coverage = StackedDigitEvaluation.coverage(p, 10);
        assertThat(coverage.counts().get(407)).isEqualTo(1);
        assertThat(coverage.counts().get(999)).isEqualTo(1);
        assertThat(coverage.modes()).isEqualTo(2);
        assertThat(coverage.klFromUniform()).isCloseTo(Math.log(500), within(1e-12));
    }

    /** 2,000 images of a perfect generator reach 1000 (1 - e^-2) = 865 modes and have a divergence of about 0.27. */
    @Test
    void aBootstrapReachesTheModesThatChanceAllowsAndOneGaussianIsLessConfident() {
        List<Evaluation.Reference> references = evaluation(2000).references(2);
        SortedMap<String, Double> bootstrap = references.get(0).scores();
        SortedMap<String, Double> gaussian = references.get(1).scores();
        assertThat(bootstrap.get("modes")).isBetween(750.0, 900.0);
        assertThat(bootstrap.get("mode_kl")).isBetween(0.1, 0.6);
        assertThat(bootstrap.get("classifier_confidence")).isGreaterThan(0.9);
        assertThat(gaussian.get("classifier_confidence")).isLessThan(0.6);
        assertThat(bootstrap.get("classifier_error_rate")).isBetween(0.0, 0.05);
    }

    @Test
    @Tag("engine")
    void aGeneratorOfOneImageHasOneMode() {
        Evaluation evaluation = evaluation(1500);
        assertThat(evaluation.rows()).hasValue(1500);
        assertThat(evaluation.merit()).hasValue(new Evaluation.Merit("mode_kl", false));
        try (Parameters parameters = Parameters.initialise(networks.graph().declarations(), Streams.seed(3))) {
            parameters.set("generator/project/weight", new double[4 * 32]);
            assertThat(evaluation.scores(parameters))
                    .containsEntry("modes", 1.0)
                    .hasEntrySatisfying("mode_kl", kl -> assertThat(kl).isCloseTo(Math.log(1000), within(1e-12)));
        }
    }

    @Test
    void feedsAndProgramsThatDoNotFitAreRefusedByName() {
        Source digits = new Optdigits(Part.ALL).open("stacked", 64, true);
        assertThatThrownBy(
                        () -> new StackedDigitScores("stacked", "draw", 9).build(networks, Map.of("stacked", digits)))
                .hasMessage(
                        "feed: must give stacked digits (3,8,8), but stacked gives 1797 images of (1,8,8), 10 classes");
        assertThatThrownBy(
                        () -> new StackedDigitScores("stacked", "field", 9).build(networks, Map.of("stacked", stacked)))
                .hasMessageStartingWith("program: must draw images (3,8,8) from noise alone, but field draws");
        assertThatThrownBy(() -> new StackedDigitScores("stacked", "draw", 0))
                .hasMessage("samples: must be at least 1, was 0");
    }
}
