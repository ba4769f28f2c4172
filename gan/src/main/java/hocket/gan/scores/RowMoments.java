package hocket.gan.scores;

/**
 * The mean and covariance of a set of rows, in double precision. Immutable; keep it for a set that is compared with
 * many others.
 *
 * <p>The covariance is the unbiased one, {@code sum (x - m)(x - m)' / (n - 1)}, as {@code numpy.cov(x, rowvar=False)}.
 */
public final class RowMoments {
    private final double[] mean;
    private final double[][] covariance;

    private RowMoments(double[] mean, double[][] covariance) {
        this.mean = mean;
        this.covariance = covariance;
    }

    /**
     * The moments of n rows of d values each.
     *
     * @param rows values, row-major (n, d), n at least 2
     * @param dimension d, at least 1
     * @throws IllegalArgumentException if the dimension is below 1, the length is not a multiple of it, there are fewer
     *     than 2 rows, or a value is not finite
     */
    public static RowMoments of(float[] rows, int dimension) {
        if (dimension < 1 || rows.length % dimension != 0 || rows.length / dimension < 2) {
            throw new IllegalArgumentException("moments need at least 2 rows of at least 1 value each, got "
                    + rows.length + " values in rows of " + dimension);
        }
        int n = rows.length / dimension;
        double[] mean = mean(rows, n, dimension);
        double[][] covariance = new double[dimension][dimension];
        double[] centred = new double[dimension];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < dimension; j++) {
                centred[j] = rows[i * dimension + j] - mean[j];
            }
            for (int j = 0; j < dimension; j++) {
                double factor = centred[j];
                double[] row = covariance[j];
                for (int k = 0; k <= j; k++) {
                    row[k] += factor * centred[k];
                }
            }
        }
        for (int j = 0; j < dimension; j++) {
            for (int k = 0; k <= j; k++) {
                covariance[j][k] /= n - 1;
                covariance[k][j] = covariance[j][k];
            }
        }
        return new RowMoments(mean, covariance);
    }

    /** d, the number of values of a row. */
    public int dimension() {
        return mean.length;
    }

    /** A copy of the mean, (d). */
    public double[] mean() {
        return mean.clone();
    }

    /** A copy of the covariance, (d, d), symmetric. */
    public double[][] covariance() {
        double[][] copy = new double[covariance.length][];
        for (int i = 0; i < copy.length; i++) {
            copy[i] = covariance[i].clone();
        }
        return copy;
    }

    private static double[] mean(float[] rows, int n, int dimension) {
        double[] mean = new double[dimension];
        for (int i = 0; i < rows.length; i++) {
            if (!Float.isFinite(rows[i])) {
                throw new IllegalArgumentException("moments need finite values, row " + i / dimension + " has "
                        + rows[i] + " at " + i % dimension);
            }
            mean[i % dimension] += rows[i];
        }
        for (int j = 0; j < dimension; j++) {
            mean[j] /= n;
        }
        return mean;
    }
}
