package hocket.gan.scores;

import hocket.scopes.Stream;
import hocket.scopes.Streams;
import org.apache.commons.rng.UniformRandomProvider;
import org.hipparchus.linear.RealMatrix;

/**
 * Rows that no generator made, with which scores are compared. The same data give the same rows.
 *
 * @param rows real rows, row-major (n, d)
 * @param dimension d
 */
record ReferenceRows(float[] rows, int dimension) {
    /** Why rows are compared: the meaning of a {@code bootstrap}. */
    static final String BOOTSTRAP = "real rows drawn again, as of a generator that memorises";

    /** The meaning of {@code halves}. */
    static final String HALVES = "a random half of the real rows, compared with the other half";

    /** The meaning of a {@code gaussian}. */
    static final String GAUSSIAN = "rows of one Gaussian with the mean and covariance of the real rows";

    private static final Streams STREAMS = Streams.seed(0);

    /** Returns how many rows there are. */
    int count() {
        return rows.length / dimension;
    }

    /** Returns the numbers of {@code n} rows, drawn with replacement. */
    int[] bootstrap(int n) {
        UniformRandomProvider random = STREAMS.at("references/bootstrap").generator(0);
        int[] drawn = new int[n];
        for (int i = 0; i < n; i++) {
            drawn[i] = random.nextInt(count());
        }
        return drawn;
    }

    /** Returns the numbers of all rows in a random order. */
    int[] shuffled() {
        int[] order = new int[count()];
        for (int i = 0; i < order.length; i++) {
            order[i] = i;
        }
        STREAMS.at("references/halves").shuffle(0, order);
        return order;
    }

    /** Returns the rows of these numbers. */
    float[] at(int... numbers) {
        float[] some = new float[numbers.length * dimension];
        for (int i = 0; i < numbers.length; i++) {
            System.arraycopy(rows, numbers[i] * dimension, some, i * dimension, dimension);
        }
        return some;
    }

    /** Returns {@code n} rows of the Gaussian with the moments of all rows: {@code m + F·z}, where {@code F·F'} is C. */
    float[] gaussian(int n) {
        RowMoments moments = RowMoments.of(rows, dimension);
        double[] mean = moments.mean();
        RealMatrix factor = FrechetDistance.factor(moments.covariance());
        Stream stream = STREAMS.at("references/gaussian");
        double[] z = new double[factor.getColumnDimension()];
        float[] drawn = new float[n * dimension];
        for (int i = 0; i < n; i++) {
            stream.normal(i, z);
            double[] centred = factor.operate(z);
            for (int k = 0; k < dimension; k++) {
                drawn[i * dimension + k] = (float) (mean[k] + centred[k]);
            }
        }
        return drawn;
    }
}
