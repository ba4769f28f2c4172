package hocket.gan.scores;

import hocket.gan.data.Images;
import hocket.schedulers.evaluation.Evaluation.Reference;
import hocket.scopes.Stream;
import hocket.scopes.Streams;
import java.util.SortedMap;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;

/**
 * Rows that no generator made, with which scores are compared. The same data give the same rows.
 *
 * @param real the real rows (n, d)
 */
public record ReferenceRows(FeatureRows real) {
    private static final Streams STREAMS = Streams.seed(0);
    private static final int MOST = 2048;

    /** Scores of a {@link #bootstrap}. */
    public static Reference ofBootstrap(int rows, SortedMap<String, Double> scores) {
        return new Reference("bootstrap", "real rows drawn again, as of a generator that memorises", rows, scores);
    }

    /** Scores of one half of {@link #shuffled} rows. */
    public static Reference ofHalves(int rows, SortedMap<String, Double> scores) {
        return new Reference("halves", "a random half of the real rows, compared with the other half", rows, scores);
    }

    /** Scores of a {@link #gaussian}. */
    static Reference ofGaussian(int rows, SortedMap<String, Double> scores) {
        return new Reference(
                "gaussian", "rows of one Gaussian with the mean and covariance of the real rows", rows, scores);
    }

    /** Scores of held-out rows. */
    public static Reference ofHeldOut(int rows, SortedMap<String, Double> scores) {
        return new Reference("held_out", "real rows that the generator was not trained on", rows, scores);
    }

    /** Returns the numbers of {@code n} rows, drawn with replacement. */
    int[] bootstrap(int n) {
        UniformRandomProvider random = STREAMS.at("references/bootstrap").generator(0);
        return IntStream.generate(() -> random.nextInt(real.count())).limit(n).toArray();
    }

    /** Returns the numbers of all rows in a random order. */
    int[] shuffled() {
        return shuffled(real.count());
    }

    /** Returns the numbers 0 to {@code count - 1} in a random order. */
    public static int[] shuffled(int count) {
        int[] order = IntStream.range(0, count).toArray();
        STREAMS.at("references/halves").shuffle(0, order);
        return order;
    }

    /**
     * Returns {@code n} rows of the Gaussian with the moments of all rows: {@code m + F'·z}, where {@code F'·F} is C. Of rows
     * with more than 2,048 values the moments are those of 2,048 rows, as time and memory would be of order d² for more.
     */
    float[] gaussian(int n) {
        FeatureRows some =
                real.dimension() > MOST && real.count() > MOST ? real.at(Images.spread(MOST, real.count())) : real;
        RowMoments moments = RowMoments.of(some.values(), some.dimension());
        double[] mean = moments.mean();
        DMatrixRMaj factor = moments.factor();
        Stream stream = STREAMS.at("references/gaussian");
        DMatrixRMaj z = new DMatrixRMaj(1, factor.numRows);
        DMatrixRMaj centred = new DMatrixRMaj(1, mean.length);
        float[] drawn = new float[n * mean.length];
        for (int i = 0; i < n; i++) {
            stream.normal(i, z.data);
            CommonOps_DDRM.mult(z, factor, centred);
            for (int k = 0; k < mean.length; k++) {
                drawn[i * mean.length + k] = (float) (mean[k] + centred.data[k]);
            }
        }
        return drawn;
    }
}
