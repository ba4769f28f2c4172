package hocket.gan.scores;

import java.util.Arrays;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;

/**
 * The mean and covariance of a set of rows, in double precision. Immutable; keep it for a set that is compared with
 * many others. Memory is of order r·d, where r is the dimension d or the number of rows, whichever is less.
 *
 * <p>The covariance is the unbiased one, {@code sum (x - m)(x - m)' / (n - 1)}, as {@code numpy.cov(x, rowvar=False)}.
 */
public final class RowMoments {
    private final double[] mean;
    private final double variance;
    private final DMatrixRMaj factor;

    private RowMoments(double[] mean, double variance, DMatrixRMaj factor) {
        this.mean = mean;
        this.variance = variance;
        this.factor = factor;
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
        return n <= dimension ? ofFew(rows, n, mean) : ofMany(rows, n, mean);
    }

    /** The rows themselves are a factor: their differences from the mean, divided by the root of n - 1. */
    private static RowMoments ofFew(float[] rows, int n, double[] mean) {
        int d = mean.length;
        double[][] factor = new double[n][d];
        double variance = 0;
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < d; j++) {
                factor[i][j] = (rows[i * d + j] - mean[j]) / Math.sqrt(n - 1.0);
                variance += factor[i][j] * factor[i][j];
            }
        }
        return new RowMoments(mean, variance, new DMatrixRMaj(factor));
    }

    private static RowMoments ofMany(float[] rows, int n, double[] mean) {
        int d = mean.length;
        double[][] covariance = new double[d][d];
        double[] centred = new double[d];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < d; j++) {
                centred[j] = rows[i * d + j] - mean[j];
            }
            for (int j = 0; j < d; j++) {
                double factor = centred[j];
                double[] row = covariance[j];
                for (int k = 0; k <= j; k++) {
                    row[k] += factor * centred[k];
                }
            }
        }
        double variance = 0;
        for (int j = 0; j < d; j++) {
            for (int k = 0; k <= j; k++) {
                covariance[j][k] /= n - 1;
                covariance[k][j] = covariance[j][k];
            }
            variance += covariance[j][j];
        }
        return new RowMoments(mean, variance, factor(covariance));
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
        return CommonOps_DDRM.multTransA(factor, factor, null).get2DData();
    }

    /** The trace of the covariance. */
    public double variance() {
        return variance;
    }

    /** F (r, d), where the covariance is F' F. */
    DMatrixRMaj factor() {
        return factor;
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

    /**
     * F (r, d) with C = F' F, by Cholesky's decomposition with pivoting: each step takes the value with the largest
     * remaining variance and removes what depends on it, until only rounding errors remain. Unlike an eigenvalue
     * iteration it always terminates, even if most eigenvalues are 0.
     */
    private static DMatrixRMaj factor(double[][] covariance) {
        int d = covariance.length;
        double[][] rows = new double[d][];
        double[] left = new double[d]; // the diagonal of C - F' F
        for (int i = 0; i < d; i++) {
            left[i] = covariance[i][i];
        }
        double least = d * Math.ulp(1.0) * left[largest(left)];
        int rank = 0;
        for (int pivot = largest(left); rank < d && left[pivot] > least; pivot = largest(left)) {
            double[] row = covariance[pivot].clone();
            for (int k = 0; k < rank; k++) {
                double factor = rows[k][pivot];
                for (int i = 0; i < d; i++) {
                    row[i] -= factor * rows[k][i];
                }
            }
            double root = Math.sqrt(left[pivot]);
            for (int i = 0; i < d; i++) {
                row[i] = left[i] == 0 ? 0 : row[i] / root;
                left[i] = Math.max(0, left[i] - row[i] * row[i]);
            }
            row[pivot] = root;
            left[pivot] = 0; // taken
            rows[rank++] = row;
        }
        return rank == 0 ? new DMatrixRMaj(1, d) : new DMatrixRMaj(Arrays.copyOf(rows, rank));
    }

    private static int largest(double[] values) {
        int largest = 0;
        for (int i = 1; i < values.length; i++) {
            if (values[i] > values[largest]) {
                largest = i;
            }
        }
        return largest;
    }
}
