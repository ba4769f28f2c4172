package hocket.schedulers.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import hocket.scopes.Streams;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SummaryTest {
    @Test
    void meanAndDeviationAreThoseOfTheTextbook() {
        Summary summary = Summary.of(2, 4, 4, 4, 5, 5, 7, 9);
        assertThat(summary.count()).isEqualTo(8);
        assertThat(summary.mean()).isCloseTo(5, within(1e-12));
        assertThat(summary.deviation()).isCloseTo(Math.sqrt(32.0 / 7), within(1e-12));
    }

    @Test
    void theIntervalOfFewNumbersIsStudents() {
        // t of 1 degree of freedom is 12.7062, of 4 it is 2.776445
        Summary two = Summary.of(1, 3);
        assertThat(two.meanLow()).isCloseTo(2 - 12.7062, within(1e-4));
        assertThat(two.meanHigh()).isCloseTo(2 + 12.7062, within(1e-4));
        Summary five = Summary.of(1, 2, 3, 4, 5);
        assertThat(five.meanHigh() - five.mean()).isCloseTo(2.776445 * Math.sqrt(2.5 / 5), within(1e-5));
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 5, 10})
    void theIntervalHoldsTheTrueMeanIn95Of100Cases(int count) {
        int cases = 10_000;
        double[] numbers = new double[cases * count];
        Streams.seed(3).at("normals").normal(0, numbers);
        int held = 0;
        for (int i = 0; i < cases; i++) {
            Summary summary = Summary.of(Arrays.copyOfRange(numbers, i * count, (i + 1) * count));
            held += summary.meanLow() <= 0 && summary.meanHigh() >= 0 ? 1 : 0;
        }
        assertThat((double) held / cases).isCloseTo(0.95, within(0.01)); // more than four deviations of the share
    }

    @Test
    void numbersThatAreAlikeAreTheirOwnInterval() {
        Summary summary = Summary.of(500, 500, 500);
        assertThat(summary.meanLow()).isEqualTo(500);
        assertThat(summary.meanHigh()).isEqualTo(500);
        assertThat(Summary.of(1, Double.NaN).mean()).isNaN();
    }

    @Test
    void oneNumberHasNoIntervalAndNoneIsRefused() {
        Summary summary = Summary.of(7);
        assertThat(summary.mean()).isEqualTo(7);
        assertThat(summary.deviation()).isNaN();
        assertThat(summary.meanLow()).isNaN();
        assertThat(summary.meanHigh()).isNaN();
        assertThatThrownBy(Summary::of).isInstanceOf(IllegalArgumentException.class);
    }
}
