package hocket.rl.search;

import hocket.rl.random.Pcg64;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * A normal distribution of candidates, whose numbers are independent.
 *
 * @param mean (n)
 * @param deviation (n), standard deviations
 */
public record Diagonal(double[] mean, double[] deviation) {
    /** Draws a candidate, (n). */
    double[] sample(Pcg64 random) {
        double[] sample = new double[mean.length];
        for (int i = 0; i < sample.length; i++) {
            sample[i] = mean[i] + deviation[i] * random.standardNormal();
        }
        return sample;
    }

    /**
     * Returns the distribution that is fitted to the candidates of the highest scores, the first of equals (Rubinstein 1999).
     * Deviations are those of the elite itself, {@code √(Σ(x - mean)²/k)}. Something may be added to them against early
     * convergence; Szita and Lörincz 2006 add to variances.
     *
     * @param samples (candidates, n)
     * @param scores of each candidate
     * @param elites k, number of candidates that are fitted, at least 1
     * @param smoothing share of the fit in the new mean and deviation, the rest is the old ones
     * @param extra added to each deviation
     */
    public Diagonal fitted(double[][] samples, double[] scores, int elites, double smoothing, double extra) {
        int[] best = IntStream.range(0, scores.length)
                .boxed()
                .sorted(Comparator.comparingDouble(i -> -scores[i]))
                .limit(elites)
                .mapToInt(Integer::intValue)
                .toArray();
        double[] means = new double[mean.length];
        double[] deviations = new double[mean.length];
        for (int i = 0; i < means.length; i++) {
            double sum = 0;
            for (int each : best) {
                sum += samples[each][i];
            }
            double center = sum / elites;
            double squares = 0;
            for (int each : best) {
                squares += (samples[each][i] - center) * (samples[each][i] - center);
            }
            means[i] = smoothing * center + (1 - smoothing) * mean[i];
            deviations[i] = smoothing * Math.sqrt(squares / elites) + (1 - smoothing) * deviation[i] + extra;
        }
        return new Diagonal(means, deviations);
    }
}
