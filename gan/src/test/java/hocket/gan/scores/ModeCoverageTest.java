package hocket.gan.scores;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Points laid by hand around two centres, (0, 0) and (10, 0), of deviation 1. */
class ModeCoverageTest {
    private static final double[] CENTRES = {0, 0, 10, 0};

    private static final double[] VARIANCES = {1, 1, 1, 1};

    private static ModeCoverage of(double... points) {
        return ModeCoverage.of(points, CENTRES, VARIANCES, 2);
    }

    @Test
    void aPointIsOfHighQualityBelowThreeDeviationsFromTheNearestCentre() {
        // On the centre, 2.9 up, exactly 3 up, 2.5 left of the other centre; 5 away from both.
        ModeCoverage coverage = of(0, 0, 0, 2.9, 0, 3, 7.5, 0, 5, 0);
        assertThat(coverage.highQuality()).isEqualTo(3.0 / 5);
        assertThat(coverage.counts()).containsExactly(2, 1);
    }

    @Test
    void aModeIsPopulatedByAQuarterOfItsExpectedShareAndCountedFromOnePointOn() {
        // A fair share is 4 of 8: one point will do. Of 10 it is 5, of which one is less than a quarter.
        assertThat(of(0, 0, 0, 1, 0, 2, 1, 0, 2, 0, 1, 1, -1, 0, 10, 0).populatedModes())
                .isEqualTo(2);
        ModeCoverage ten = of(0, 0, 0, 1, 0, 2, 1, 0, 2, 0, 1, 1, -1, 0, -2, 0, 0, -1, 10, 0);
        assertThat(ten.populatedModes()).isEqualTo(1);
        assertThat(ten.modes()).isEqualTo(2);
    }

    @Test
    void theVarianceOfCountsIsThatOfThePopulation() {
        assertThat(of(0, 0, 0, 1, 0, 2, 10, 0).varianceOfCounts()).isEqualTo(1); // counts 3 and 1
        assertThat(of(0, 0, 10, 0).varianceOfCounts()).isZero();
    }

    @Test
    void pointsFarFromAllCentresFindNothing() {
        assertThat(of(0, 100, 10, 100)).isEqualTo(new ModeCoverage(List.of(0, 0), 2));
        assertThat(of(Double.NaN, 0)).isEqualTo(new ModeCoverage(List.of(0, 0), 1));
    }

    @Test
    void lengthsThatAreNotMultiplesOfTheDimensionsAreRefused() {
        assertThatThrownBy(() -> of(1, 2, 3)).hasMessage("points: needs a positive multiple of 2 values, got 3");
        assertThatThrownBy(() -> ModeCoverage.of(new double[2], new double[0], VARIANCES, 2))
                .hasMessage("centres: needs a positive multiple of 2 values, got 0");
        assertThatThrownBy(() -> ModeCoverage.of(new double[2], CENTRES, new double[2], 2))
                .hasMessage("variances: needs as many values as centres, 4, got 2");
    }
}
