package hocket.schedulers.stats;

import java.util.Arrays;

/**
 * A statistic of scores with its 95 % percentile interval.
 *
 * @param value of all scores
 * @param low 2.5th percentile of the statistic of resampled scores
 * @param high 97.5th percentile
 */
public record Estimate(double value, double low, double high) {
    private static final double BELOW_LOW = 0.025;
    private static final double BELOW_HIGH = 0.975;

    /** Returns a statistic with its interval. The resampled values, at least one, are sorted in place. */
    static Estimate of(double value, double[] resampled) {
        Arrays.sort(resampled);
        return new Estimate(value, percentile(resampled, BELOW_LOW), percentile(resampled, BELOW_HIGH));
    }

    /** Interpolates linearly between the two nearest values, as {@code numpy.percentile} does. */
    private static double percentile(double[] sorted, double share) {
        double place = share * (sorted.length - 1);
        int below = (int) place;
        int above = Math.min(below + 1, sorted.length - 1);
        double part = place - below;
        return (1 - part) * sorted[below] + part * sorted[above];
    }
}
