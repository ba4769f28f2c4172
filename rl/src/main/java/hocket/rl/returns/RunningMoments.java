package hocket.rl.returns;

import hocket.schedulers.settings.Limits;
import hocket.schedulers.state.State;
import hocket.schedulers.state.Stateful;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.util.Arrays;

/**
 * Running mean and variance of each of n features over all rows so far, in double precision, by which observations and
 * returns are normalised. A batch is merged as a whole (Chan et al. 1983): with its mean, variance (divided by its
 * size) and size m, {@code δ = batch mean - mean}, {@code mean += δ·m/(count + m)}, {@code variance = (variance·count +
 * batch variance·m + δ²·count·m/(count + m))/(count + m)}, {@code count += m}. Not thread-safe.
 */
public final class RunningMoments implements Stateful {
    private static final double EPSILON = 1e-8;

    private final double[] mean;
    private final double[] variance;
    private final double[] batchMean;
    private final double[] batchVariance;
    private double count;

    private RunningMoments(int features, double count) {
        Limits.atLeast(1, "running moments: features", features);
        mean = new double[features];
        variance = new double[features];
        batchMean = new double[features];
        batchVariance = new double[features];
        this.count = count;
        Arrays.fill(variance, 1);
    }

    /**
     * Starts from mean 0 and variance 1 with a count of 1e-4 rows: {@code RunningMeanStd} of Stable-Baselines3 and
     * Gymnasium.
     *
     * @throws IllegalArgumentException if features is below 1
     */
    public static RunningMoments of(int features) {
        return new RunningMoments(features, 1e-4);
    }

    /**
     * Starts from a count of 0: the moments are exactly those of the rows so far, and mean 0 and variance 1 before the
     * first.
     *
     * @throws IllegalArgumentException if features is below 1
     */
    public static RunningMoments exact(int features) {
        return new RunningMoments(features, 0);
    }

    /** The number of rows so far, including the initial count. */
    public double count() {
        return count;
    }

    /** The mean of a feature. */
    public double mean(int feature) {
        return mean[feature];
    }

    /** The variance of a feature, divided by the count. */
    public double variance(int feature) {
        return variance[feature];
    }

    /**
     * Updates the moments by a batch of rows.
     *
     * @param rows (m, n) row-major
     * @throws IllegalArgumentException if the length is not a positive multiple of n; then nothing has changed
     */
    public void update(double[] rows) {
        int size = rowsIn(rows.length);
        Arrays.fill(batchMean, 0);
        Arrays.fill(batchVariance, 0);
        for (int at = 0; at < rows.length; at += mean.length) {
            for (int j = 0; j < mean.length; j++) {
                batchMean[j] += rows[at + j];
            }
        }
        divide(batchMean, size);
        for (int at = 0; at < rows.length; at += mean.length) {
            for (int j = 0; j < mean.length; j++) {
                double from = rows[at + j] - batchMean[j];
                batchVariance[j] += from * from;
            }
        }
        divide(batchVariance, size);
        merge(size);
    }

    /** Updates the moments by a batch of rows of floats. */
    public void update(float[] rows) {
        update(rows, rowsIn(rows.length));
    }

    /**
     * Updates the moments by the first rows of an array.
     *
     * @param rows at least (count, n), row-major
     * @param count m, at least 1
     * @throws IllegalArgumentException if there are fewer rows, or count is below 1; then nothing has changed
     */
    public void update(float[] rows, int count) {
        Limits.atLeast(1, "running moments: rows", count);
        if (rows.length / mean.length < count) {
            throw new IllegalArgumentException("running moments: rows: must be at least " + count + " of " + mean.length
                    + " elements, were " + rows.length + " elements");
        }
        Arrays.fill(batchMean, 0);
        Arrays.fill(batchVariance, 0);
        for (int row = 0; row < count; row++) {
            int at = row * mean.length;
            for (int j = 0; j < mean.length; j++) {
                batchMean[j] += rows[at + j];
            }
        }
        divide(batchMean, count);
        for (int row = 0; row < count; row++) {
            int at = row * mean.length;
            for (int j = 0; j < mean.length; j++) {
                double from = rows[at + j] - batchMean[j];
                batchVariance[j] += from * from;
            }
        }
        divide(batchVariance, count);
        merge(count);
    }

    private static void divide(double[] sums, int size) {
        for (int j = 0; j < sums.length; j++) {
            sums[j] /= size;
        }
    }

    private void merge(int size) {
        double total = count + size;
        for (int j = 0; j < mean.length; j++) {
            double delta = batchMean[j] - mean[j];
            double squares = variance[j] * count + batchVariance[j] * size + delta * delta * count * size / total;
            mean[j] += delta * size / total;
            variance[j] = squares / total;
        }
        count = total;
    }

    /** {@code (number - mean)/sqrt(variance + 1e-8)} of a feature, without a limit. Does not change the moments. */
    public double standardised(int feature, double number) {
        return (number - mean[feature]) / Math.sqrt(variance[feature] + EPSILON);
    }

    private int rowsIn(int length) {
        if (length == 0 || length % mean.length != 0) {
            throw new IllegalArgumentException("running moments: rows: must be a multiple of " + mean.length
                    + " elements, one for each feature, were " + length);
        }
        return length / mean.length;
    }

    @Override
    public State save() {
        Shape features = Shape.of(mean.length);
        return State.empty()
                .with("mean", Tensor.of(features, mean))
                .with("variance", Tensor.of(features, variance))
                .with("count", count);
    }

    @Override
    public void restore(State state) {
        double[] savedMean = vector(state, "mean");
        double[] savedVariance = vector(state, "variance");
        double savedCount = state.real("count");
        ReturnArguments.notNegative("running moments: the saved count", savedCount);
        System.arraycopy(savedMean, 0, mean, 0, mean.length);
        System.arraycopy(savedVariance, 0, variance, 0, variance.length);
        count = savedCount;
    }

    private double[] vector(State state, String name) {
        Tensor saved = state.tensor(name);
        if (saved.type() != ElementType.FLOAT64 || !saved.shape().equals(Shape.of(mean.length))) {
            throw new IllegalArgumentException("running moments: the saved " + name + " must be FLOAT64(" + mean.length
                    + "), was " + saved.signature());
        }
        return saved.doubles();
    }
}
