package hocket.gan.scores;

import java.util.Arrays;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;
import org.ejml.interfaces.decomposition.SingularValueDecomposition_F64;

/**
 * The Fréchet distance between two sets of rows, each taken as a normal distribution with its mean m and covariance C:
 *
 * <pre>  |m1 - m2|^2 + tr(C1 + C2 - 2 (C1 C2)^(1/2))</pre>
 *
 * <p>The rows may be pixels, or the features of a network (with those of Inception it is called FID). It is 0 for equal
 * moments, symmetric, and grows with the square of the data's unit.
 *
 * <p>With C = F' F, the trace of the root is the sum of the singular values of F1 F2'. That is exact where a covariance
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
     * The distance between two sets by their moments. Takes time of order r^3, where r is the dimension or the number of
     * rows, whichever is less: milliseconds for 64, a second for 784.
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
        double sum = first.variance() + second.variance();
        for (int i = 0; i < m1.length; i++) {
            sum += (m1[i] - m2[i]) * (m1[i] - m2[i]);
        }
        return Math.max(0, sum - 2 * traceOfRoot(first.factor(), second.factor()));
    }

    private static double traceOfRoot(DMatrixRMaj f1, DMatrixRMaj f2) {
        DMatrixRMaj product = CommonOps_DDRM.multTransB(f1, f2, null);
        SingularValueDecomposition_F64<DMatrixRMaj> decomposition =
                DecompositionFactory_DDRM.svd(product.numRows, product.numCols, false, false, false);
        if (!decomposition.decompose(product)) {
            throw new IllegalStateException("the singular values of a matrix " + product.numRows + " x "
                    + product.numCols + " did not converge");
        }
        return Arrays.stream(decomposition.getSingularValues(), 0, decomposition.numberOfSingularValues())
                .sum();
    }
}
