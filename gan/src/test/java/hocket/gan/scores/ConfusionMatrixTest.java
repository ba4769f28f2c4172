package hocket.gan.scores;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class ConfusionMatrixTest {
    @Test
    void aClassWithoutRowsDoesNotCountInTheBalancedAccuracy() {
        ConfusionMatrix matrix = ConfusionMatrix.of(new int[] {0, 0, 0, 0, 2}, new int[] {0, 0, 0, 1, 0}, 3);
        assertThat(matrix.counts()).containsExactly(List.of(3, 1, 0), List.of(0, 0, 0), List.of(1, 0, 0));
        assertThat(matrix.perClass()).containsExactly(0.75, Double.NaN, 0.0);
        assertThat(matrix.balancedAccuracy()).isEqualTo(0.375);
        assertThat(matrix.accuracy()).isEqualTo(0.6);
        assertThat(matrix.errorRate()).isEqualTo(0.4);
    }

    @Test
    void classesOutOfRangeAreRefused() {
        assertThatThrownBy(() -> ConfusionMatrix.of(new int[] {3}, new int[] {0}, 3))
                .hasMessage("a class must be in 0..2, was 3");
        assertThatThrownBy(() -> ConfusionMatrix.of(new int[] {0}, new int[] {-1}, 3))
                .hasMessage("a class must be in 0..2, was -1");
        assertThatThrownBy(() -> ConfusionMatrix.of(new int[] {0}, new int[0], 3))
                .hasMessage(
                        "a confusion matrix needs a prediction for each row, at least 1, got 1 rows and 0 predictions");
    }
}
