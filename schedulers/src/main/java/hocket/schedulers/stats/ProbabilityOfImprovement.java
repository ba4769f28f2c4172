package hocket.schedulers.stats;

/** The probability that an algorithm is better than another one on a random task (Agarwal et al. 2021, section 4.3). */
public final class ProbabilityOfImprovement {
    private ProbabilityOfImprovement() {}

    /**
     * Returns the mean over tasks of {@code P(x > y) + P(x = y) / 2}, x and y being the scores of random runs on the task:
     * the U statistic of Mann and Whitney (1947), divided by the number of pairs.
     *
     * @throws IllegalArgumentException if the numbers of tasks differ
     */
    public static double of(TaskScores x, TaskScores y) {
        if (x.tasks() != y.tasks()) {
            throw new IllegalArgumentException(
                    "both algorithms need the same tasks, one has " + x.tasks() + ", the other " + y.tasks());
        }
        double[] shares = new double[x.tasks()];
        for (int task = 0; task < shares.length; task++) {
            shares[task] = share(x.sorted(task), y.sorted(task));
        }
        return Summary.mean(shares, 0, shares.length);
    }

    private static double share(double[] x, double[] y) {
        long halves = 0; // two for a pair with x > y, one for x = y
        for (double each : x) {
            halves += Ranks.below(y, each) + Ranks.atMost(y, each);
        }
        return halves / 2.0 / x.length / y.length;
    }
}
