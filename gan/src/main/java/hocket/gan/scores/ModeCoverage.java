package hocket.gan.scores;

import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * The coverage of a mixture of Gaussians by a set of points. A point belongs to the mode that is nearest, in deviations of
 * the mode (the first of equals), and counts there if it is nearer than three deviations. Of the points of a mixture in two
 * dimensions 98.9 % do.
 *
 * <p>Source: Srivastava et al., "VEEGAN" (2017), section 4.1, and the public code of Lin et al., "PacGAN" (2018).
 *
 * @param counts the number of points that count, by mode
 * @param points n, the number of all points
 */
public record ModeCoverage(List<Integer> counts, int points) {
    private static final double NEAR = 3;
    private static final int OF_FAIR_SHARE = 4;

    /**
     * The coverage by n points.
     *
     * @param points row-major (n, d), n at least 1
     * @param centres row-major (modes, d)
     * @param variances row-major (modes, d), of each mode along each axis
     * @param dimensions d
     * @throws IllegalArgumentException if there is no point or centre, a length is not a multiple of d, or there are not
     *     as many variances as centres
     */
    public static ModeCoverage of(double[] points, double[] centres, double[] variances, int dimensions) {
        requireRows("points", points.length, dimensions);
        requireRows("centres", centres.length, dimensions);
        if (variances.length != centres.length) {
            throw new IllegalArgumentException(
                    "variances: needs as many values as centres, " + centres.length + ", got " + variances.length);
        }
        int[] counts = new int[centres.length / dimensions];
        for (int from = 0; from < points.length; from += dimensions) {
            int nearest = 0;
            double least = Double.POSITIVE_INFINITY;
            for (int mode = 0; mode < counts.length; mode++) {
                double deviations = 0;
                for (int k = 0; k < dimensions; k++) {
                    double difference = points[from + k] - centres[mode * dimensions + k];
                    deviations += difference * difference / variances[mode * dimensions + k];
                }
                deviations = Math.sqrt(deviations);
                if (deviations < least) {
                    least = deviations;
                    nearest = mode;
                }
            }
            counts[nearest] += least < NEAR ? 1 : 0;
        }
        return new ModeCoverage(IntStream.of(counts).boxed().toList(), points.length / dimensions);
    }

    private static void requireRows(String what, int values, int dimensions) {
        if (values == 0 || values % dimensions != 0) {
            throw new IllegalArgumentException(
                    what + ": needs a positive multiple of " + dimensions + " values, got " + values);
        }
    }

    /** Returns the number of modes with at least one point, as PacGAN counts; many random points reach all by chance. */
    public int modes() {
        return (int) counts.stream().filter(count -> count > 0).count();
    }

    /** Returns the number of modes with at least a quarter of their expected share of all points, 1 in 4·modes. */
    public int populatedModes() {
        return (int) counts.stream()
                .filter(count -> (long) count * OF_FAIR_SHARE * counts.size() >= points)
                .count();
    }

    /** Returns the share, 0..1, of points that count. */
    public double highQuality() {
        return (double) near() / points;
    }

    /** Returns the population variance of the counts, 0 for equally frequent modes. */
    public double varianceOfCounts() {
        double mean = (double) near() / counts.size();
        return counts.stream()
                .mapToDouble(count -> (count - mean) * (count - mean))
                .average()
                .orElseThrow();
    }

    /** Returns the entropy of the modes of the points that count, in nats; NaN if none counts. */
    public double entropy() {
        return -shares().map(p -> p == 0 ? 0 : p * Math.log(p)).sum();
    }

    /** Returns the Kullback-Leibler divergence KL(shares ‖ uniform), in nats, as PacGAN reports it; NaN if none counts. */
    public double klFromUniform() {
        return Math.log(counts.size()) - entropy();
    }

    /** Returns the Jensen-Shannon divergence of the modes' shares and the uniform ones, in nats; NaN if no point counts. */
    public double divergenceFromUniform() {
        double uniform = 1.0 / counts.size();
        return shares().map(p -> {
                    double middle = (p + uniform) / 2;
                    return ((p == 0 ? 0 : p * Math.log(p / middle)) + uniform * Math.log(uniform / middle)) / 2;
                })
                .sum();
    }

    private DoubleStream shares() {
        double near = near();
        return counts.stream().mapToDouble(count -> count / near);
    }

    private int near() {
        return counts.stream().mapToInt(Integer::intValue).sum();
    }
}
