package hocket.gan.scores;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class ClassScoresTest {
    private static final float[] FOUR = {
        0.95f, 0.05f, 0, //
        0.9f, 0.1f, 0, // not more than the threshold
        0.25f, 0.75f, 0,
        0.5f, 0.5f, 0, // a tie goes to the first
    };

    @Test
    void confidenceIsTheShareOfSamplesAboveTheThreshold() {
        assertThat(ClassScores.of(FOUR, 3).confidentShare()).isEqualTo(0.25);
        assertThat(ClassScores.of(FOUR, 3, 0.7).confidentShare()).isEqualTo(0.75);
    }

    @Test
    void coverageIsTheShareOfEachClass() {
        ClassScores scores = ClassScores.of(FOUR, 3);

        assertThat(scores.coverage()).containsExactly(0.75, 0.25, 0.0);
        assertThat(scores.smallestClass(0, 1, 2)).isZero();
        assertThat(scores.smallestClass(1, 0, 1)).isEqualTo(0.25);
    }

    @Test
    void scoresAreValues() {
        ClassScores scores = ClassScores.of(FOUR, 3);

        assertThat(scores).isEqualTo(ClassScores.of(FOUR, 3)).hasSameHashCodeAs(ClassScores.of(FOUR, 3));
        assertThat(scores).isNotEqualTo(ClassScores.of(FOUR, 3, 0.7));
        assertThat(scores).hasToString("ClassScores[confidentShare=0.25, coverage=[0.75, 0.25, 0.0]]");
    }

    @Test
    void rowsThatAreNotDistributionsAreRefused() {
        assertThatThrownBy(() -> ClassScores.of(new float[] {1, 0, 0.5f, Float.NaN}, 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("probabilities must be in 0..1, sample 1 has NaN for class 1");
        assertThatThrownBy(() -> ClassScores.of(new float[] {0.5f, 0.25f}, 2))
                .hasMessage("probabilities of a sample must sum to 1, sample 0 has 0.75");
        assertThatThrownBy(() -> ClassScores.of(new float[] {-0.5f, 1.5f}, 2))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ClassScores.of(new float[5], 2))
                .hasMessage("class scores need at least 1 row of at least 1 probability, got 5 values in rows of 2");
        assertThatThrownBy(() -> ClassScores.of(new float[0], 2)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new ClassScores(1, List.of()))
                .hasMessage("class scores need at least 1 class, got none");
    }
}
