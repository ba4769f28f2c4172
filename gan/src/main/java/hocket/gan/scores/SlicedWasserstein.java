package hocket.gan.scores;

import hocket.scopes.Streams;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Wasserstein distances between two sets of rows along directions. Along one direction
 *
 * <pre>  W1 = ∫ |F^-1(t) - G^-1(t)| dt,   W2² = ∫ (F^-1(t) - G^-1(t))² dt,   t in 0..1</pre>
 *
 * <p>where F^-1 and G^-1 are the quantile functions of the projected rows: steps, without interpolation. With as many rows
 * in each set these are means over pairs in sorted order.
 *
 * <p>Source: Bonneel et al., "Sliced and Radon Wasserstein Barycenters of Measures" (2015); the largest: Deshpande et al.,
 * "Max-Sliced Wasserstein Distance and its use for GANs" (2019), over the given directions.
 *
 * @param w1 W1 along each direction
 * @param squaredW2 W2² along each direction
 */
public record SlicedWasserstein(List<Double> w1, List<Double> squaredW2) {
    /**
     * The distances between two sets of rows.
     *
     * @param real (n1, d)
     * @param generated (n2, d)
     * @param directions row-major (p, d), each of length 1, p at least 1
     * @throws IllegalArgumentException if the dimensions differ, or there is no direction
     */
    public static SlicedWasserstein between(FeatureRows real, FeatureRows generated, double[] directions) {
        real.requireComparable(generated);
        int d = real.dimension();
        if (directions.length == 0 || directions.length % d != 0) {
            throw new IllegalArgumentException(
                    "directions: needs a positive multiple of " + d + " values, got " + directions.length);
        }
        List<double[]> along = IntStream.range(0, directions.length / d)
                .mapToObj(p -> Arrays.copyOfRange(directions, p * d, (p + 1) * d))
                .map(direction -> between(projected(real, direction), projected(generated, direction)))
                .toList();
        return new SlicedWasserstein(
                along.stream().map(each -> each[0]).toList(),
                along.stream().map(each -> each[1]).toList());
    }

    /** Returns the mean W1. */
    public double meanW1() {
        return mean(w1);
    }

    /** Returns the sliced 2-Wasserstein distance, the root of the mean W2². */
    public double w2() {
        return Math.sqrt(mean(squaredW2));
    }

    /** Returns the largest W1. */
    public double largestW1() {
        return w1.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
    }

    /** Returns random directions (p, d), uniform on the sphere; the same for the same extents. */
    static double[] directions(int p, int dimension) {
        double[] directions = new double[p * dimension];
        Streams.seed(0).at("scores/directions").normal(0, directions);
        for (int from = 0; from < directions.length; from += dimension) {
            double squares = 0;
            for (int k = from; k < from + dimension; k++) {
                squares += directions[k] * directions[k];
            }
            for (int k = from; k < from + dimension; k++) {
                directions[k] /= Math.sqrt(squares);
            }
        }
        return directions;
    }

    private static double mean(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
    }

    private static double[] projected(FeatureRows rows, double[] direction) {
        double[] projected = new double[rows.count()];
        for (int i = 0; i < projected.length; i++) {
            for (int k = 0; k < direction.length; k++) {
                projected[i] += rows.values()[i * direction.length + k] * direction[k];
            }
        }
        Arrays.sort(projected);
        return projected;
    }

    /** W1 and W2² of ascending values; both quantile functions are constant between merged steps. */
    private static double[] between(double[] first, double[] second) {
        double[] distances = new double[2];
        long end = 0; // of the last step, in units of 1 / (n1 n2)
        int i = 0;
        int j = 0;
        while (i < first.length && j < second.length) {
            long firstEnds = (i + 1L) * second.length;
            long secondEnds = (j + 1L) * first.length;
            long next = Math.min(firstEnds, secondEnds);
            double difference = Math.abs(first[i] - second[j]);
            distances[0] += (next - end) * difference;
            distances[1] += (next - end) * difference * difference;
            end = next;
            i += firstEnds == next ? 1 : 0;
            j += secondEnds == next ? 1 : 0;
        }
        distances[0] /= end;
        distances[1] /= end;
        return distances;
    }
}
