package hocket.gan.scores;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RowPairsTest {
    private static FeatureRows rows(int count, int dimension, int seed) {
        Random random = new Random(seed);
        float[] values = new float[count * dimension];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) random.nextGaussian();
        }
        return new FeatureRows(values, dimension);
    }

    /** A sum by column after column has these bits and no others. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 7, 8, 13})
    void eachValueIsTheSumOverTheColumnsInTheirOrder(int dimension) {
        FeatureRows first = rows(19, dimension, 1);
        FeatureRows second = rows(11, dimension, 2);
        List<Integer> visited = new ArrayList<>();
        RowPairs.products(first, second, (i, products) -> {
            visited.add(i);
            assertThat(products).hasSize(11);
            for (int j = 0; j < products.length; j++) {
                double sum = 0;
                for (int k = 0; k < dimension; k++) {
                    sum += (double) first.values()[i * dimension + k] * second.values()[j * dimension + k];
                }
                assertThat(products[j]).isEqualTo(sum);
            }
        });
        RowPairs.squaredDistances(first, second, (i, squares) -> {
            visited.add(i);
            assertThat(squares).hasSize(11);
            for (int j = 0; j < squares.length; j++) {
                double sum = 0;
                for (int k = 0; k < dimension; k++) {
                    double difference = (double) first.values()[i * dimension + k] - second.values()[j * dimension + k];
                    sum += difference * difference;
                }
                assertThat(squares[j]).isEqualTo(sum);
            }
        });
        assertThat(visited)
                .isEqualTo(IntStream.range(0, 2 * 19).map(i -> i % 19).boxed().toList());
    }
}
