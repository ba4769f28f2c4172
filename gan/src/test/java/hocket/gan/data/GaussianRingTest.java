package hocket.gan.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class GaussianRingTest {
    private static double[] centres(GaussianRing ring) {
        return ring.mixture().orElseThrow().centres();
    }

    private static float[] points(GaussianRing ring) {
        return Drawn.floats(ring.open("ring", ring.rows(), false));
    }

    @Test
    void theCentresLieEvenlyOnTheCircle() {
        assertThat(centres(new GaussianRing(4, 2, 0.1, 4, 1)))
                .containsExactly(new double[] {2, 0, 0, 2, -2, 0, 0, -2}, within(1e-15));
    }

    @Test
    void everyGaussianScattersAsManyPointsAroundItsCentreByTheDeviation() {
        GaussianRing ring = new GaussianRing(3, 2, 0.1, 30_000, 1);
        float[] points = points(ring);
        double[] centres = centres(ring);
        for (int k = 0; k < centres.length; k++) {
            double sum = 0;
            double squares = 0;
            for (int i = k; i < points.length; i += centres.length) {
                sum += points[i] - centres[k];
                squares += Math.pow(points[i] - centres[k], 2);
            }
            // Standard errors: 0.001 of the mean, 0.0007 of the deviation.
            assertThat(sum / 10_000).isCloseTo(0, within(0.004));
            assertThat(Math.sqrt(squares / 10_000)).isCloseTo(0.1, within(0.003));
        }
    }

    @Test
    void thePointsFollowFromTheSeed() {
        float[] points = points(new GaussianRing(8, 2, 0.02, 64, 1));
        assertThat(points(new GaussianRing(8, 2, 0.02, 64, 1))).isEqualTo(points);
        assertThat(points(new GaussianRing(8, 2, 0.02, 64, 2))).isNotEqualTo(points);
    }

    @Test
    void theSourceKnowsItsRing() {
        GaussianRing ring = new GaussianRing(8, 2, 0.02, 64, 1);
        assertThat(ring.open("ring", 16, true).points()).isEqualTo(ring);
        assertThat(ring.open("ring", 16, true).columns()).hasToString("[point (2) FLOAT32]");
        assertThat(ring.declaredColumns()).contains(ring.open("ring", 16, true).columns());
    }

    @Test
    void settingsOutOfRangeAreRefusedByName() {
        assertThatThrownBy(() -> new GaussianRing(0, 2, 0.02, 64, 1)).hasMessage("modes: must be at least 1, was 0");
        assertThatThrownBy(() -> new GaussianRing(8, 0, 0.02, 64, 1))
                .hasMessage("radius: must be finite and above 0, was 0.0");
        assertThatThrownBy(() -> new GaussianRing(8, 2, Double.NaN, 64, 1))
                .hasMessage("deviation: must be finite and above 0, was NaN");
        assertThatThrownBy(() -> new GaussianRing(8, 2, 0.02, 7, 1)).hasMessage("rows: must be at least 8, was 7");
    }
}
