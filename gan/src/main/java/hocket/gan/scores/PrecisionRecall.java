package hocket.gan.scores;

import java.util.Arrays;

/**
 * Whether generated rows lie among real ones, and real ones among generated. The ball of a row reaches to its k-th nearest
 * other row of its own set; a row at exactly that distance is outside.
 *
 * <p>Sources: Kynkäänniemi et al., "Improved Precision and Recall Metric for Assessing Generative Models" (2019); Naeem et
 * al., "Reliable Fidelity and Diversity Metrics for Generative Models" (2020), equations 2 to 6. Agrees with the package
 * {@code prdc}.
 *
 * @param precision the share, 0..1, of generated rows that are in the ball of a real row
 * @param recall the share, 0..1, of real rows that are in the ball of a generated row
 * @param density the number of real balls that hold a generated row, on average, divided by k; it may exceed 1
 * @param coverage the share, 0..1, of real rows whose ball holds a generated row
 */
public record PrecisionRecall(double precision, double recall, double density, double coverage) {
    /** The usual k: that of the papers' figures. */
    public static final int NEAREST = 5;

    /**
     * The scores of generated rows.
     *
     * @param real (n1, d), n1 more than k
     * @param generated (n2, d), n2 more than k
     * @param k at least 1
     * @throws IllegalArgumentException if the dimensions differ, k is below 1, or a set has k rows or fewer
     */
    public static PrecisionRecall of(FeatureRows real, FeatureRows generated, int k) {
        return of(real, squaredRadii(real, k), generated, k);
    }

    /** The scores, from real rows whose {@link #squaredRadii} are known. */
    static PrecisionRecall of(FeatureRows real, double[] squaredRadii, FeatureRows generated, int k) {
        double[] ofGenerated = squaredRadii(generated, k);
        double[] nearest = new double[real.count()]; // the squared distance to the nearest generated row
        Arrays.fill(nearest, Double.POSITIVE_INFINITY);
        boolean[] isRecalled = new boolean[real.count()];
        long[] inside = new long[2]; // generated rows in a ball, and balls that hold one
        RowPairs.squaredDistances(generated, real, (i, squares) -> {
            int balls = 0;
            for (int j = 0; j < squares.length; j++) {
                balls += squares[j] < squaredRadii[j] ? 1 : 0;
                isRecalled[j] |= squares[j] < ofGenerated[i];
                nearest[j] = Math.min(nearest[j], squares[j]);
            }
            inside[0] += balls > 0 ? 1 : 0;
            inside[1] += balls;
        });
        int recalled = 0;
        int covered = 0;
        for (int j = 0; j < nearest.length; j++) {
            recalled += isRecalled[j] ? 1 : 0;
            covered += nearest[j] < squaredRadii[j] ? 1 : 0;
        }
        double n = generated.count();
        return new PrecisionRecall(
                inside[0] / n,
                (double) recalled / nearest.length,
                1.0 / k * (inside[1] / n),
                (double) covered / nearest.length);
    }

    /**
     * The squared distance of each row to its k-th nearest other row.
     *
     * @throws IllegalArgumentException if k is below 1, or there are k rows or fewer
     */
    static double[] squaredRadii(FeatureRows rows, int k) {
        if (k < 1 || rows.count() <= k) {
            throw new IllegalArgumentException(
                    "the nearest " + k + " other rows need more than " + k + " rows, got " + rows.count());
        }
        double[] radii = new double[rows.count()];
        double[] least = new double[k]; // ascending
        RowPairs.squaredDistances(rows, rows, (i, squares) -> {
            squares[i] = Double.POSITIVE_INFINITY; // the row itself
            Arrays.fill(least, Double.POSITIVE_INFINITY);
            for (double square : squares) {
                insert(square, least);
            }
            radii[i] = least[k - 1];
        });
        return radii;
    }

    private static void insert(double value, double[] least) {
        int at = least.length - 1;
        if (value >= least[at]) {
            return;
        }
        for (; at > 0 && least[at - 1] > value; at--) {
            least[at] = least[at - 1];
        }
        least[at] = value;
    }
}
