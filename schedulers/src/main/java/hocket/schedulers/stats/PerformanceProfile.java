package hocket.schedulers.stats;

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
        double[] shares = new double[thresholds.length];
        for (int i = 0; i < shares.length; i++) {
            shares[i] = (sorted.length - Ranks.atMost(sorted, thresholds[i])) / (double) sorted.length;
        }
        return shares;
    }
}
