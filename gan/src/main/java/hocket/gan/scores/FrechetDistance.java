package hocket.gan.scores;

import java.util.Arrays;
import org.hipparchus.linear.MatrixUtils;
import org.hipparchus.linear.RealMatrix;
import org.hipparchus.linear.SingularValueDecomposition;

/**
 * The Fréchet distance between two sets of rows, each taken as a normal distribution with its mean m and covariance C:
 *
 * <pre>  |m1 - m2|^2 + tr(C1 + C2 - 2 (C1 C2)^(1/2))</pre>
 *
 * <p>The rows may be pixels, or the features of a network (with those of Inception it is called FID). It is 0 for equal
 * moments, symmetric, and grows with the square of the data's unit.
 *
 * <p>With C = F F', the trace of the root is the sum of the singular values of F1' F2. That is exact where a covariance
 * is singular (a pixel that never changes, fewer rows than values); {@code scipy.linalg.sqrtm(C1 C2)}, the usual way,
 * keeps only 7 digits there and agrees to 12 elsewhere.
 *
 * <p>Source: Dowson and Landau, "The Fréchet distance between multivariate normal distributions", J. Multivariate
 * Analysis 12 (1982); Heusel et al., "GANs trained by a two time-scale update rule" (2017), section 2.
 */
public final class FrechetDistance {
    private FrechetDistance() {}

    /**
     * The distance between two sets of rows.
     *
     * @param first values, row-major (n1, d), n1 at least 2
     * @param second values, row-major (n2, d), n2 at least 2
     * @param dimension d, at least 1
     * @throws IllegalArgumentException if the dimension is below 1, a length is not a multiple of it, a set has fewer
     *     than 2 rows, or a value is not finite
     */
    public static double between(float[] first, float[] second, int dimension) {
        return between(RowMoments.of(first, dimension), RowMoments.of(second, dimension));
    }

    /**
     * The distance between two sets by their moments. Takes time of order d^3: milliseconds for 64 dimensions, seconds
     * for 784.
     *
     * @throws IllegalArgumentException if the dimensions differ
     */
    public static double between(RowMoments first, RowMoments second) {
        if (first.dimension() != second.dimension()) {
            throw new IllegalArgumentException("a Fréchet distance needs rows of one dimension, got "
                    + first.dimension() + " and " + second.dimension());
        }
        double[] m1 = first.mean();
        double[] m2 = second.mean();
        double[][] c1 = first.covariance();
        double[][] c2 = second.covariance();
        double sum = 0;
        for (int i = 0; i < m1.length; i++) {
            sum += (m1[i] - m2[i]) * (m1[i] - m2[i]) + c1[i][i] + c2[i][i];
        }
        return Math.max(0, sum - 2 * traceOfRoot(c1, c2));
    }

    private static double traceOfRoot(double[][] c1, double[][] c2) {
        RealMatrix product = factor(c1).transposeMultiply(factor(c2));
        if (product.getNormInfty() == 0) { // the decomposition needs at least one column
            return 0;
        }
        double[] singular = new SingularValueDecomposition(product).getSingularValues();
        return Arrays.stream(singular).sum();
    }

    /**
     * F (d, r) with C = F F', by Cholesky's decomposition with pivoting: each step takes the value with the largest
     * remaining variance and removes what depends on it, until only rounding errors remain. Unlike an eigenvalue
     * iteration it always terminates, even if most eigenvalues are 0.
     */
    static RealMatrix factor(double[][] covariance) {
        int d = covariance.length;
        double[][] columns = new double[d][];
        double[] left = new double[d]; // the diagonal of C - F F'
        for (int i = 0; i < d; i++) {
            left[i] = covariance[i][i];
        }
        double least = d * Math.ulp(1.0) * left[largest(left)];
        int rank = 0;
        for (int pivot = largest(left); rank < d && left[pivot] > least; pivot = largest(left)) {
            double[] column = covariance[pivot].clone();
            for (int k = 0; k < rank; k++) {
                double factor = columns[k][pivot];
                for (int i = 0; i < d; i++) {
                    column[i] -= factor * columns[k][i];
                }
            }
            double root = Math.sqrt(left[pivot]);
            for (int i = 0; i < d; i++) {
                column[i] = left[i] == 0 ? 0 : column[i] / root;
                left[i] = Math.max(0, left[i] - column[i] * column[i]);
            }
            column[pivot] = root;
            left[pivot] = 0; // taken
            columns[rank++] = column;
        }
        return rank == 0
                ? MatrixUtils.createRealMatrix(d, 1)
                : MatrixUtils.createRealMatrix(Arrays.copyOf(columns, rank)).transpose();
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
