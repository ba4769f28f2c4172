package hocket.rl.envs;

import hocket.schedulers.State;
import hocket.schedulers.Stateful;
import java.util.Arrays;

/**
 * Mean and variance of all rows so far, column by column, by the parallel rule of Chan, Golub and LeVeque (1979), as
 * Gymnasium and Stable-Baselines3 keep them: from mean 0, variance 1 and a count of 1e-4, in double precision here.
 */
final class RunningMoments implements Stateful {
    private static final double EPSILON = 1e-8;
    private static final double FIRST_COUNT = 1e-4;

    private final double[] mean;
    private final double[] variance;
    private double count = FIRST_COUNT;

    RunningMoments(int width) {
        mean = new double[width];
        variance = new double[width];
        Arrays.fill(variance, 1);
    }

    /** Takes rows that lie behind each other. */
    void update(float[] rows, int howMany) {
        for (int column = 0; column < mean.length; column++) {
            double sum = 0;
            for (int row = 0; row < howMany; row++) {
                sum += rows[row * mean.length + column];
            }
            double rowMean = sum / howMany;
            double squares = 0;
            for (int row = 0; row < howMany; row++) {
                double off = rows[row * mean.length + column] - rowMean;
                squares += off * off;
            }
            merge(column, rowMean, squares / howMany, howMany);
        }
        count += howMany;
    }

    /** Takes numbers of the one column. */
    void update(double... numbers) {
        double sum = 0;
        for (double number : numbers) {
            sum += number;
        }
        double rowMean = sum / numbers.length;
        double squares = 0;
        for (double number : numbers) {
            squares += (number - rowMean) * (number - rowMean);
        }
        merge(0, rowMean, squares / numbers.length, numbers.length);
        count += numbers.length;
    }

    private void merge(int column, double otherMean, double otherVariance, int otherCount) {
        double total = count + otherCount;
        double delta = otherMean - mean[column];
        double squares =
                variance[column] * count + otherVariance * otherCount + delta * delta * count * otherCount / total;
        mean[column] += delta * otherCount / total;
        variance[column] = squares / total;
    }

    double mean(int column) {
        return mean[column];
    }

    double variance(int column) {
        return variance[column];
    }

    /** The number in units of deviations from the mean. */
    double standardised(int column, double number) {
        return (number - mean[column]) / Math.sqrt(variance[column] + EPSILON);
    }

    /** The number in units of the first column's deviation, its mean left where it is. */
    double scaled(double number) {
        return number / Math.sqrt(variance[0] + EPSILON);
    }

    @Override
    public State save() {
        return State.empty()
                .with("mean", Points.saved(mean))
                .with("variance", Points.saved(variance))
                .with("count", count);
    }

    @Override
    public void restore(State state) {
        double[] savedMean = Points.restored(state, "mean", mean.length);
        double[] savedVariance = Points.restored(state, "variance", variance.length);
        count = state.real("count");
        System.arraycopy(savedMean, 0, mean, 0, mean.length);
        System.arraycopy(savedVariance, 0, variance, 0, variance.length);
    }
}
