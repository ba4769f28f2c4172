package hocket.schedulers.settings;

import static hocket.schedulers.optimizers.Optimizers.adam;
import static hocket.schedulers.optimizers.Optimizers.lookahead;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.schedulers.optimizers.Adam;
import hocket.schedulers.optimizers.rates.CosineRate;
import hocket.schedulers.optimizers.rates.RateUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LimitsTest {
    @ParameterizedTest
    @CsvSource({
        "-1, 0, Infinity, 'n: must be finite and at least 0, was -1.0'",
        "Infinity, 0, 1e6, 'n: must be finite and at least 0, was Infinity'",
        "-1, 0, 1e6, 'n: must be finite and at least 0, was -1.0'",
        "2e6, 0, 1e6, 'n: must be between 0 and 1000000, was 2000000.0'",
        "0, 1e-30, Infinity, 'n: must be finite and above 0, was 0.0'",
        "1, 0, 0.9999999999, 'n: must be at least 0 and below 1, was 1.0'",
        "-1, -0.9999999999, 0.9999999999, 'n: must be above -1 and below 1, was -1.0'",
        "NaN, 0, 1, 'n: must be between 0 and 1, was NaN'",
        "Infinity, -Infinity, Infinity, 'n: must be finite, was Infinity'",
        "0.6, -Infinity, 0.5, 'n: must be finite and at most 0.5, was 0.6'"
    })
    void realNumbersOutsideTheirRangeAreRefused(double value, double least, double most, String message) {
        assertThatThrownBy(() -> Limits.real("n", value, least, most))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void realNumbersInTheirRangeAreTaken() {
        Limits.real("n", 0.99999999999999, 0, 0.9999999999);
        Limits.real("n", Double.MIN_VALUE, 1e-30, Double.POSITIVE_INFINITY);
        Limits.real("n", 1, 0, 1);
    }

    @Test
    void wholeNumbersOutsideTheirRangeAreRefused() {
        assertThatThrownBy(() -> Limits.whole("n", 0, 1, 5)).hasMessage("n: must be at least 1, was 0");
        assertThatThrownBy(() -> Limits.whole("n", 6, 1, 5)).hasMessage("n: must be at most 5, was 6");
        Limits.whole("n", 5, 1, 5);
    }

    @Test
    void settingsMadeInJavaHaveTheRangesOfFiles() {
        assertThatThrownBy(() -> new CosineRate(2e6, 0, 1, 0, 1, false, RateUnit.UPDATE))
                .hasMessage("from: must be between 0 and 1000000, was 2000000.0");
        assertThatThrownBy(() -> lookahead(5, 0.5).share(1.5)).hasMessage("share: must be between 0 and 1, was 1.5");
        Adam adam = adam(1e-3);
        assertThat(adam.weightDecay(0.1).beta1(0.5)).isEqualTo(adam.beta1(0.5).weightDecay(0.1));
    }
}
