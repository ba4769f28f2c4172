package hocket.gan.scores;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.gan.scores.FeatureRows.Neighbour;
import java.util.List;
import org.junit.jupiter.api.Test;

class FeatureRowsTest {
    private static FeatureRows rows(float... values) {
        return new FeatureRows(values, 2);
    }

    @Test
    void theNearestRowsComeNearestFirstAndOfEqualDistancesTheFirst() {
        FeatureRows others = rows(3, 4, 0, 1, 1, 0, 0, 0, -1, 0);
        assertThat(rows(0, 0, 3, 3).nearest(others, 4))
                .containsExactly(
                        List.of(new Neighbour(3, 0), new Neighbour(1, 1), new Neighbour(2, 1), new Neighbour(4, 1)),
                        List.of(
                                new Neighbour(0, 1),
                                new Neighbour(1, Math.sqrt(13)),
                                new Neighbour(2, Math.sqrt(13)),
                                new Neighbour(3, Math.sqrt(18))));
    }

    @Test
    void valuesThatAreNotFiniteAreRefusedWithTheirPlace() {
        assertThatThrownBy(() -> rows(0, 1, 2, Float.NaN)).hasMessage("features must be finite, row 1 has NaN at 1");
        assertThatThrownBy(() -> rows(0, 1, 2, 3, Float.NEGATIVE_INFINITY, 5))
                .hasMessage("features must be finite, row 2 has -Infinity at 0");
        assertThatThrownBy(() -> rows(0, 1, 2))
                .hasMessage("features need at least 1 row of at least 1 value each, got 3 values in rows of 2");
    }

    @Test
    void rowsBeyondTheFirstThousandsAreFound() {
        float[] many = new float[2 * 20_000];
        for (int i = 0; i < many.length; i++) {
            many[i] = 1 + i;
        }
        many[2 * 17_000] = 0;
        many[2 * 17_000 + 1] = 0;
        assertThat(rows(0, 0).nearest(rows(many), 2).get(0))
                .containsExactly(new Neighbour(17_000, 0), new Neighbour(0, Math.sqrt(5)));
    }

    @Test
    void thereAreNoMoreNeighboursThanRows() {
        assertThatThrownBy(() -> rows(0, 0).nearest(rows(1, 1), 2))
                .hasMessage("k must be 1 to 1, the rows of the other set, was 2");
        assertThatThrownBy(() -> rows(0, 0).nearest(rows(1, 1), 0)).hasMessageContaining("was 0");
    }
}
