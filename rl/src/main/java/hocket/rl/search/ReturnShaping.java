package hocket.rl.search;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/** The weights of returns in an estimate of the gradient of the expected return from mirrored candidates. */
public enum ReturnShaping {
    /**
     * Centred ranks, -1/2 to 1/2, as {@code es.py} of Salimans et al. 2017; equal returns have the mean of their ranks. The
     * estimate is not divided by the deviation.
     */
    RANKS {
        @Override
        double[] weights(double[] returns, double deviation) {
            int[] order = IntStream.range(0, returns.length)
                    .boxed()
                    .sorted(Comparator.comparingDouble(i -> returns[i]))
                    .mapToInt(Integer::intValue)
                    .toArray();
            double[] ranks = new double[returns.length];
            int from = 0;
            while (from < order.length) {
                int to = from + 1;
                while (to < order.length && returns[order[to]] == returns[order[from]]) {
                    to++;
                }
                for (int i = from; i < to; i++) {
                    ranks[order[i]] = 0.5 * (from + to - 1) / (order.length - 1) - 0.5;
                }
                from = to;
            }
            return ranks;
        }
    },

    /** The returns divided by the deviation: the estimate is that of the gradient itself. */
    RETURNS {
        @Override
        double[] weights(double[] returns, double deviation) {
            return Arrays.stream(returns).map(each -> each / deviation).toArray();
        }
    };

    abstract double[] weights(double[] returns, double deviation);

    /**
     * Returns the estimate, {@code Σ(w⁺ - w⁻)·noise/2k} of k pairs.
     *
     * @param noise (k, n), of standard deviation 1
     * @param returns (2k): of the weights plus {@code deviation·noise} at 2i, minus it at 2i + 1
     * @param deviation of the candidates
     * @return (n)
     * @throws IllegalArgumentException if a return is not a number
     */
    public double[] gradient(double[][] noise, double[] returns, double deviation) {
        if (Arrays.stream(returns).anyMatch(Double::isNaN)) {
            throw new IllegalArgumentException("returns must be numbers, were " + Arrays.toString(returns));
        }
        double[] weights = weights(returns, deviation);
        double[] gradient = new double[noise[0].length];
        for (int k = 0; k < noise.length; k++) {
            double weight = (weights[2 * k] - weights[2 * k + 1]) / (2 * noise.length);
            for (int i = 0; i < gradient.length; i++) {
                gradient[i] += weight * noise[k][i];
            }
        }
        return gradient;
    }
}
