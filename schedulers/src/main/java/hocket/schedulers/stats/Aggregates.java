package hocket.schedulers.stats;

import java.util.Arrays;

/**
 * Numbers that aggregate an algorithm's scores over several tasks (Agarwal et al. 2021, "Deep Reinforcement Learning at the
 * Edge of the Statistical Precipice", section 4). They agree with the Python package rliable.
 */
public final class Aggregates {
    private static final int QUARTER = 4;

    private Aggregates() {}

    /**
     * Returns the interquartile mean: of the n scores of all tasks, the mean without the ⌊n/4⌋ smallest and the ⌊n/4⌋
     * largest. It is the 25 % trimmed mean, {@code scipy.stats.trim_mean(scores, 0.25)}.
     */
    public static double interquartileMean(TaskScores scores) {
        double[] sorted = scores.sorted();
        int cut = sorted.length / QUARTER;
        return Summary.mean(sorted, cut, sorted.length - cut);
    }

    /** Returns the median over tasks of the mean of each task; of an even number, the mean of the middle two. */
    public static double median(TaskScores scores) {
        double[] means = scores.means();
        Arrays.sort(means);
        int middle = means.length / 2;
        return means.length % 2 == 1 ? means[middle] : means[middle - 1] / 2 + means[middle] / 2;
    }

    /** Returns the mean over tasks of the mean of each task. */
    public static double mean(TaskScores scores) {
        double[] means = scores.means();
        return Summary.mean(means, 0, means.length);
    }
}
