package hocket.gan.scores;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import hocket.gan.data.Digits;
import hocket.gan.data.Images;
import java.io.IOException;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class FrechetDistanceTest {
    static Stream<JsonNode> cases() throws IOException {
        JsonNode file = new ObjectMapper().readTree(FrechetDistanceTest.class.getResourceAsStream("frechet.json"));
        return StreamSupport.stream(file.get("cases").spliterator(), false);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void theDistanceOfDigitsAgreesWithSciPyAndWithFiftyDigits(JsonNode golden) {
        double[] exactAndScipy = {
            golden.get("exact").asDouble(), golden.get("scipy").asDouble()
        };
        int[] columns = columns(golden);

        double distance = FrechetDistance.between(
                rows(golden.get("first"), columns), rows(golden.get("second"), columns), columns.length);

        assertThat(distance).isEqualTo(exactAndScipy[0], within(1e-11 * Math.max(1, exactAndScipy[0])));
        // with fewer rows than values half of SciPy's digits are gone
        boolean fewRows = golden.get("name").asText().startsWith("fewer rows");
        assertThat(distance).isEqualTo(exactAndScipy[1], within((fewRows ? 2e-7 : 1e-10) * Math.max(1, distance)));
    }

    private static int[] columns(JsonNode golden) {
        return golden.has("columns")
                ? StreamSupport.stream(golden.get("columns").spliterator(), false)
                        .mapToInt(JsonNode::asInt)
                        .toArray()
                : IntStream.range(0, 64).toArray();
    }

    /** A slice (start, stop, step) of the digits. */
    private static float[] rows(JsonNode slice, int[] columns) {
        Images digits = Digits.load();
        int[] rows = IntStream.iterate(
                        slice.get(0).asInt(),
                        i -> i < slice.get(1).asInt(),
                        i -> i + slice.get(2).asInt())
                .toArray();
        float[] values = new float[rows.length * columns.length];
        for (int i = 0; i < rows.length; i++) {
            float[] image = digits.image(rows[i]);
            for (int j = 0; j < columns.length; j++) {
                values[i * columns.length + j] = image[columns[j]];
            }
        }
        return values;
    }

    @Test
    void onALineItIsTheSquaredDifferenceOfMeansPlusThatOfDeviations() {
        float[] first = {0, 2}; // mean 1, variance 2
        float[] second = {1, 9}; // mean 5, variance 32

        assertThat(FrechetDistance.between(first, second, 1))
                .isEqualTo(16 + Math.pow(Math.sqrt(32) - Math.sqrt(2), 2), within(1e-12));
    }

    @Test
    void setsThatSpreadInDifferentDirectionsShareNothing() {
        float[] along = {-1, 0, 1, 0}; // variance 2 along the first axis
        float[] across = {0, -1, 0, 1};

        assertThat(FrechetDistance.between(along, across, 2)).isEqualTo(4, within(1e-12));
    }

    @Test
    void constantSetsDifferByTheirMeansAlone() {
        float[] zero = {0, 0, 0, 0};
        float[] one = {1, 1, 1, 1};

        assertThat(FrechetDistance.between(zero, one, 2)).isEqualTo(2);
        assertThat(FrechetDistance.between(zero, zero, 2)).isZero();
        assertThat(FrechetDistance.between(one, new float[] {-1, 1, 3, 1}, 2)).isEqualTo(8, within(1e-12));
    }

    /**
     * Fewer rows than values, of which most never change, as in handwriting: an eigendecomposition gave up on these.
     */
    @ParameterizedTest
    @ValueSource(ints = {2, 64, 300, 800})
    void imagesWithConstantPixelsHaveADistance(int rows) {
        Random random = new Random(rows);
        float[] ink = new float[rows * 784];
        float[] thrice = new float[ink.length];
        float[] noise = new float[ink.length];
        for (int i = 0; i < ink.length; i++) {
            int row = i % 784 / 28;
            int column = i % 28;
            boolean inside = row >= 8 && row < 20 && column >= 8 && column < 20;
            ink[i] = inside ? random.nextInt(256) / 256f : -1;
            thrice[i] = 3 * ink[i]; // exact; its covariance is 9 times ink's
            noise[i] = (float) Math.tanh(0.1 * random.nextGaussian());
        }
        RowMoments first = RowMoments.of(ink, 784);
        double[] mean = first.mean();
        double[][] covariance = first.covariance();
        double expected = 0;
        for (int i = 0; i < 784; i++) {
            expected += 4 * (mean[i] * mean[i] + covariance[i][i]);
        }

        assertThat(FrechetDistance.between(first, first)).isEqualTo(0, within(1e-9));
        assertThat(FrechetDistance.between(first, RowMoments.of(thrice, 784)))
                .isEqualTo(expected, within(1e-11 * expected));
        assertThat(FrechetDistance.between(ink, noise, 784))
                .isBetween(300.0, 1500.0)
                .isEqualTo(FrechetDistance.between(noise, ink, 784), within(1e-8));
    }

    @Test
    void theOrderOfTheSetsDoesNotMatterAndMomentsMayBeKept() {
        RowMoments first = RowMoments.of(
                Digits.load().at(IntStream.range(0, 300).toArray()).pixels(), 64);
        RowMoments all = RowMoments.of(Digits.load().pixels(), 64);

        double distance = FrechetDistance.between(first, all);

        assertThat(distance).isGreaterThan(0.1);
        assertThat(FrechetDistance.between(all, first)).isEqualTo(distance, within(1e-12));
    }

    @Test
    void momentsAreThoseOfNumPy() {
        RowMoments moments = RowMoments.of(new float[] {1, 4, 2, 6, 6, 2}, 2);

        assertThat(moments.mean()).containsExactly(3, 4);
        assertThat(moments.covariance()[0]).containsExactly(new double[] {7, -4}, within(1e-14)); // F' F rounds
        assertThat(moments.covariance()[1]).containsExactly(new double[] {-4, 4}, within(1e-14));
        assertThat(moments.variance()).isEqualTo(11);
        moments.mean()[0] = 9;
        assertThat(moments.mean()[0]).isEqualTo(3);
    }

    @Test
    void momentsOfAsManyRowsAsValuesAndOfOneRowMoreAgreeWithTheirDefinition() {
        Random random = new Random(3);
        for (int n : new int[] {2, 19, 20, 21, 50}) {
            float[] rows = new float[n * 20];
            for (int i = 0; i < rows.length; i++) {
                rows[i] = (float) random.nextGaussian();
            }
            RowMoments moments = RowMoments.of(rows, 20);
            double[] mean = moments.mean();
            double[][] covariance = moments.covariance();
            double trace = 0;
            for (int j = 0; j < 20; j++) {
                trace += covariance[j][j];
                for (int k = 0; k < 20; k++) {
                    double sum = 0;
                    for (int i = 0; i < n; i++) {
                        sum += (rows[i * 20 + j] - mean[j]) * (rows[i * 20 + k] - mean[k]);
                    }
                    assertThat(covariance[j][k]).as("%d rows", n).isEqualTo(sum / (n - 1), within(1e-12));
                }
            }
            assertThat(moments.variance()).isEqualTo(trace, within(1e-12 * trace));
        }
    }

    @Test
    void setsThatCannotBeComparedAreRefused() {
        assertThatThrownBy(() -> FrechetDistance.between(new float[7], new float[8], 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("moments need at least 2 rows of at least 1 value each, got 7 values in rows of 2");
        assertThatThrownBy(() -> RowMoments.of(new float[2], 2)).hasMessageContaining("at least 2 rows");
        assertThatThrownBy(() -> RowMoments.of(new float[2], 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> RowMoments.of(new float[] {0, 0, 0, Float.NaN}, 2))
                .hasMessage("moments need finite values, row 1 has NaN at 1");
        assertThatThrownBy(
                        () -> FrechetDistance.between(RowMoments.of(new float[4], 2), RowMoments.of(new float[6], 3)))
                .hasMessage("a Fréchet distance needs rows of one dimension, got 2 and 3");
    }
}
