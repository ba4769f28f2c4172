package hocket.gan.scores;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The kernel distance (KID) between two sets of rows: the unbiased estimate of the squared maximum mean discrepancy
 *
 * <pre>  mean of k(x, x') + mean of k(y, y') - 2 mean of k(x, y),   k(x, y) = (x·y / d + 1)^3</pre>
 *
 * <p>over pairs of different rows x, x' and y, y'. It is unbiased: equal distributions give 0 on average for every number
 * of rows, so single values are negative about half the time. Nothing is multiplied by 1,000.
 *
 * <p>Source: Bińkowski et al., "Demystifying MMD GANs" (2018), section 4.
 */
public final class KernelDistance {
    private KernelDistance() {}

    /**
     * The distance between two sets of rows.
     *
     * @param real (n1, d), n1 at least 2
     * @param generated (n2, d), n2 at least 2
     * @throws IllegalArgumentException if the dimensions differ, or a set has fewer than 2 rows
     */
    public static double between(FeatureRows real, FeatureRows generated) {
        return between(real, within(real), generated);
    }

    /** The distance, from rows whose {@link #within} is known. */
    static double between(FeatureRows real, double withinReal, FeatureRows generated) {
        return withinReal + within(generated) - 2 * across(real, generated);
    }

    /** The mean kernel of pairs of different rows of one set. */
    static double within(FeatureRows rows) {
        int n = rows.count();
        if (n < 2) {
            throw new IllegalArgumentException("a kernel distance needs at least 2 rows of each set, got " + n);
        }
        double[] sum = {0};
        RowPairs.products(rows, rows, (i, products) -> {
            for (int j = 0; j < n; j++) {
                sum[0] += i == j ? 0 : kernel(products[j], rows.dimension());
            }
        });
        return sum[0] / ((double) n * (n - 1));
    }

    private static double across(FeatureRows first, FeatureRows second) {
        double[] sum = {0};
        RowPairs.products(
                first,
                second,
                (i, products) -> sum[0] += Arrays.stream(products)
                        .map(product -> kernel(product, first.dimension()))
                        .sum());
        return sum[0] / ((double) first.count() * second.count());
    }

    private static double kernel(double product, int dimension) {
        double base = product / dimension + 1;
        return base * base * base;
    }

    /**
     * The distances between subsets, with their mean and population deviation, as the paper reports.
     *
     * @param real (n1, d)
     * @param generated (n2, d)
     * @param ofReal the numbers of each subset's real rows
     * @param ofGenerated the numbers of each subset's generated rows; as many subsets
     * @throws IllegalArgumentException as {@link #between}, or if the numbers of subsets differ or are 0
     */
    public static Subsets ofSubsets(
            FeatureRows real, FeatureRows generated, List<int[]> ofReal, List<int[]> ofGenerated) {
        if (ofReal.isEmpty() || ofReal.size() != ofGenerated.size()) {
            throw new IllegalArgumentException(
                    "a kernel distance of subsets needs as many subsets of each set, at least" + " 1, got "
                            + ofReal.size() + " and " + ofGenerated.size());
        }
        return new Subsets(IntStream.range(0, ofReal.size())
                .mapToObj(i -> between(real.at(ofReal.get(i)), generated.at(ofGenerated.get(i))))
                .toList());
    }

    /**
     * Distances between subsets of two sets.
     *
     * @param distances one for each pair of subsets
     */
    public record Subsets(List<Double> distances) {
        /** Returns the mean of the distances. */
        public double mean() {
            return distances.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
        }

        /** Returns the deviation of the distances, divided by their number. */
        public double deviation() {
            double mean = mean();
            return Math.sqrt(distances.stream()
                    .mapToDouble(distance -> (distance - mean) * (distance - mean))
                    .average()
                    .orElseThrow());
        }
    }
}
