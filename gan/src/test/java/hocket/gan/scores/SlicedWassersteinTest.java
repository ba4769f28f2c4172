package hocket.gan.scores;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class SlicedWassersteinTest {
    private static final int COUNT = 2000;

    @Test
    void randomDirectionsAreOfLengthOneUniformAndAlwaysTheSame() {
        double[] directions = SlicedWasserstein.directions(COUNT, 3);
        double[] means = new double[3];
        double[] products = new double[9]; // of two numbers of a direction
        for (int i = 0; i < COUNT; i++) {
            double squares = 0;
            for (int j = 0; j < 3; j++) {
                double number = directions[3 * i + j];
                squares += number * number;
                means[j] += number / COUNT;
                for (int k = 0; k < 3; k++) {
                    products[3 * j + k] += number * directions[3 * i + k] / COUNT;
                }
            }
            assertThat(squares).isCloseTo(1, within(1e-12));
        }
        // Standard errors are about 0.013 and 0.007.
        assertThat(means).containsExactly(new double[3], within(0.05));
        assertThat(products).containsExactly(new double[] {1 / 3.0, 0, 0, 0, 1 / 3.0, 0, 0, 0, 1 / 3.0}, within(0.03));
        assertThat(SlicedWasserstein.directions(COUNT, 3)).isEqualTo(directions);
    }

    @Test
    void rowsOfOtherDimensionsAndNoDirectionsAreRefused() {
        FeatureRows flat = new FeatureRows(new float[4], 2);
        FeatureRows deep = new FeatureRows(new float[6], 3);
        assertThatThrownBy(() -> SlicedWasserstein.between(flat, deep, new double[] {1, 0}))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> SlicedWasserstein.between(flat, flat, new double[3]))
                .hasMessage("directions: needs a positive multiple of 2 values, got 3");
        assertThatThrownBy(() -> SlicedWasserstein.between(flat, flat, new double[0]))
                .hasMessage("directions: needs a positive multiple of 2 values, got 0");
    }
}
