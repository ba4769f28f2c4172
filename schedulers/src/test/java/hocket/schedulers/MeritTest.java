package hocket.schedulers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.schedulers.evaluation.Evaluation;
import hocket.schedulers.evaluation.Evaluation.Merit;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class MeritTest {
    private static final double NAN = Double.NaN;

    @Test
    void largerOrSmallerIsBetterAndWhatIsNoNumberNever() {
        Merit larger = new Merit("return", true);
        assertThat(larger.isBetter(2, 1)).isTrue();
        assertThat(larger.isBetter(1, 1)).isFalse();
        assertThat(larger.isBetter(1, 2)).isFalse();
        assertThat(larger.isBetter(NAN, 1)).isFalse();
        assertThat(larger.isBetter(Double.NEGATIVE_INFINITY, NAN)).isTrue();
        assertThat(larger.isBetter(NAN, NAN)).isFalse();
        Merit smaller = new Merit("distance", false);
        assertThat(smaller.isBetter(1, 2)).isTrue();
        assertThat(smaller.isBetter(2, 1)).isFalse();
        assertThat(smaller.isBetter(1, 1)).isFalse();
    }

    @Test
    void aScoreThatIsNotThereIsNamed() {
        Merit merit = new Merit("return", true);
        assertThat(merit.of(Map.of("return", 3.0, "length", 1.0))).isEqualTo(3);
        assertThatThrownBy(() -> merit.of(new TreeMap<>(Map.of("length", 1.0))))
                .hasMessage("the score that counts is return, there is [length]");
        assertThat(((Evaluation) parameters -> new TreeMap<>()).merit()).isEmpty();
    }
}
