package hocket.gan.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class SyntheticPointsTest {
    @Test
    void theGridsCentresAreThoseOfPacGan() {
        GaussianMixture grid = new GaussianGrid(5, 2, 0.05, 25, 1).mixture().orElseThrow();
        double[] centres = grid.centres();
        assertThat(grid.modes()).isEqualTo(25);
        for (int i = 0; i < 5; i++) {
            for (int j = 0; j < 5; j++) {
                assertThat(centres[2 * (5 * i + j)]).isEqualTo(-4 + 2 * i);
                assertThat(centres[2 * (5 * i + j) + 1]).isEqualTo(-4 + 2 * j);
            }
        }
    }

    @Test
    void theGridsPointsLieAroundTheirCentres() {
        GaussianGrid grid = new GaussianGrid(3, 1, 0.01, 900, 1);
        double[] centres = grid.mixture().orElseThrow().centres();
        float[] points = grid.sample();
        assertThat(points).hasSize(1800);
        for (int i = 0; i < points.length; i++) {
            assertThat((double) points[i]).isCloseTo(centres[i % centres.length], within(0.06));
        }
    }

    @Test
    void aSpiralWithoutNoiseWindsOutToItsRadius() {
        float[] points = new Spiral(2, 1.5, 3, 0, 2000, 1).sample();
        double furthest = 0;
        for (int i = 0; i < 2000; i++) {
            double r = Math.hypot(points[2 * i], points[2 * i + 1]);
            double angle = 2 * Math.PI * (1.5 * r / 3 + (i % 2) / 2.0);
            assertThat((double) points[2 * i]).isCloseTo(r * Math.cos(angle), within(1e-5));
            assertThat((double) points[2 * i + 1]).isCloseTo(r * Math.sin(angle), within(1e-5));
            furthest = Math.max(furthest, r);
        }
        assertThat(furthest).isBetween(2.99, 3.0001);
    }

    @Test
    void aSwissRollWithoutNoiseWindsOnceFromAThirdOfItsRadius() {
        float[] points = new SwissRoll(3, 0, 2000, 1).sample();
        for (int i = 0; i < 2000; i++) {
            double r = Math.hypot(points[2 * i], points[2 * i + 1]);
            double t = r / 3 * 4.5 * Math.PI;
            assertThat(r).isBetween(0.9999, 3.0001);
            assertThat((double) points[2 * i]).isCloseTo(r * Math.cos(t), within(1e-5));
            assertThat((double) points[2 * i + 1]).isCloseTo(r * Math.sin(t), within(1e-5));
        }
    }

    @Test
    void aSourceHasItsDefinitionAndItsPointsInOrder() {
        for (SyntheticPoints points : new SyntheticPoints[] {
            new GaussianGrid(5, 2, 0.05, 100, 3), new Spiral(2, 1.5, 3, 0.1, 100, 3), new SwissRoll(3, 0.1, 100, 3)
        }) {
            PointSource source = points.open("points", 100, false);
            assertThat(source.points()).isEqualTo(points);
            assertThat(points.declaredColumns()).contains(source.columns());
            assertThat(Drawn.floats(source)).isEqualTo(points.sample());
        }
        assertThat(new SwissRoll(3, 0.1, 100, 4).sample()).isNotEqualTo(new SwissRoll(3, 0.1, 100, 3).sample());
    }

    @Test
    void settingsOutOfRangeAreRefusedByName() {
        assertThatThrownBy(() -> new GaussianGrid(5, 2, 0.05, 24, 1)).hasMessage("rows: must be at least 25, was 24");
        assertThatThrownBy(() -> new GaussianGrid(5, 0, 0.05, 25, 1))
                .hasMessage("spacing: must be finite and above 0, was 0.0");
        assertThatThrownBy(() -> new Spiral(0, 1, 1, 0, 9, 1)).hasMessage("arms: must be at least 1, was 0");
        assertThatThrownBy(() -> new SwissRoll(-1, 0, 9, 1)).hasMessage("radius: must be finite and above 0, was -1.0");
    }
}
