package hocket.gan.scores;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** Points laid by hand around two centres, (0, 0) and (10, 0), of deviation 1. */
class ModeCoverageTest {
    private static final double[] CENTRES = {0, 0, 10, 0};

    private static ModeCoverage of(float... points) {
        return ModeCoverage.of(points, CENTRES, 2, 1);
    }

    @Test
    void aPointIsOfHighQualityUpToThreeDeviationsFromTheNearestCentre() {
        // On the centre, 3 up, 3.1 up, 2.5 left of the other centre; 5 away from both.
        ModeCoverage coverage = of(0, 0, 0, 3, 0, 3.1f, 7.5f, 0, 5, 0);
        assertThat(coverage.highQuality()).isEqualTo(3.0 / 5);
        assertThat(coverage.found()).isEqualTo(2);
    }

    @Test
    void aModeIsFoundByAQuarterOfItsExpectedShareOfThePoints() {
        // A fair share is 4 of 8: one point will do. Of 10 it is 5, of which one is less than a quarter.
        assertThat(of(0, 0, 0, 1, 0, 2, 1, 0, 2, 0, 1, 1, -1, 0, 10, 0).found()).isEqualTo(2);
        assertThat(of(0, 0, 0, 1, 0, 2, 1, 0, 2, 0, 1, 1, -1, 0, -2, 0, 0, -1, 10, 0)
                        .found())
                .isEqualTo(1);
    }

    @Test
    void pointsFarFromAllCentresFindNothing() {
        assertThat(of(0, 100, 10, 100)).isEqualTo(new ModeCoverage(0, 0));
        assertThat(of(Float.NaN, 0)).isEqualTo(new ModeCoverage(0, 0));
    }

    @Test
    void lengthsThatAreNotMultiplesOfTheDimensionsAreRefused() {
        assertThatThrownBy(() -> of(1, 2, 3)).hasMessage("points: needs a positive multiple of 2 values, got 3");
        assertThatThrownBy(() -> ModeCoverage.of(new float[2], new double[0], 2, 1))
                .hasMessage("centres: needs a positive multiple of 2 values, got 0");
    }
}
