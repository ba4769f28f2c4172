package hocket.workbench.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class SummaryTest {
    @Test
    void meanAndDeviationAreThoseOfTheTextbook() {
        Summary summary = Summary.of(2, 4, 4, 4, 5, 5, 7, 9);
        assertThat(summary.count()).isEqualTo(8);
        assertThat(summary.mean()).isCloseTo(5, within(1e-12));
        assertThat(summary.deviation()).isCloseTo(Math.sqrt(32.0 / 7), within(1e-12));
    }

    @Test
    void theIntervalOfTwoNumbersIsThemBecauseEachIsTheMeanOfAQuarterOfAllSamples() {
        Summary summary = Summary.of(1, 3);
        assertThat(summary.low()).isEqualTo(1);
        assertThat(summary.high()).isEqualTo(3);
    }

    @Test
    void theIntervalOfManyNumbersIsThatOfTheNormalDistribution() {
        double[] numbers = new double[100];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = i % 2 == 0 ? 4 : 6; // mean 5; the mean of a sample has deviation 0.1
        }
        Summary summary = Summary.of(numbers);
        // sums of 100 coins come in steps of 0.02, and 10,000 samples leave an error of about 0.005
        assertThat(summary.low()).isCloseTo(5 - 0.196, within(0.03));
        assertThat(summary.high()).isCloseTo(5 + 0.196, within(0.03));
        assertThat(Summary.of(numbers)).isEqualTo(summary);
    }

    @Test
    void oneNumberIsItsOwnIntervalAndNoneIsRefused() {
        Summary summary = Summary.of(7);
        assertThat(summary.low()).isEqualTo(7);
        assertThat(summary.high()).isEqualTo(7);
        assertThat(summary.deviation()).isNaN();
        assertThatThrownBy(Summary::of).isInstanceOf(IllegalArgumentException.class);
    }
}
