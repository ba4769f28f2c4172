package hocket.schedulers.stats;

import java.util.Arrays;

/** The performance profile of an algorithm, its score distribution (Agarwal et al. 2021, section 4.2; Dolan and Moré 2002). */
public final class PerformanceProfile {
    private PerformanceProfile() {}

    /**
     * Returns for each threshold τ the share of runs, of all tasks, with a score above τ.
     *
     * @param thresholds in any order
     */
    public static double[] of(TaskScores scores, double... thresholds) {
        double[] sorted = scores.sorted();
        return Arrays.stream(thresholds)
                .map(threshold -> (sorted.length - Ranks.atMost(sorted, threshold)) / (double) sorted.length)
                .toArray();
    }
}
