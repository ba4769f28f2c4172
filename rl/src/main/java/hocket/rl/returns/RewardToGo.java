package hocket.rl.returns;

import java.util.function.IntSupplier;

/**
 * The discounted rewards to the end of an episode, of REINFORCE (Williams 1992): {@code G_t = reward_t + gamma·G_{t+1}}; 0
 * in episodes that do not count. An episode counts if it starts early enough that even the longest possible one would end
 * within the rollout, which depends on its start and never on its course, and so keeps the gradient unbiased.
 */
public final class RewardToGo implements AdvantageEstimator {
    /** The baseline of a return. */
    public enum Baseline {
        /** No baseline. */
        NONE,
        /** The mean of the rollout's returns, in units of their deviation. */
        MEAN
    }

    private final double gamma;
    private final Baseline baseline;
    private final IntSupplier longest;
    private boolean[] first = {};

    /**
     * Makes an estimator.
     *
     * @param gamma the discount of one step
     * @param longest the most steps that an episode can have; asked when there is a rollout
     */
    public RewardToGo(double gamma, Baseline baseline, IntSupplier longest) {
        this.gamma = gamma;
        this.baseline = baseline;
        this.longest = longest;
    }

    @Override
    public void begins(boolean[] environments) {
        first = environments.clone();
    }

    @Override
    public void advantages(
            RolloutLayout layout,
            float[] rewards,
            float[] values,
            boolean[] terminated,
            boolean[] truncated,
            float[] finalValues,
            float[] lastValues,
            float[] advantages,
            float[] returns) {
        boolean[] counts = new boolean[layout.steps() * layout.environments()];
        int most = longest.getAsInt();
        for (int e = 0; e < layout.environments(); e++) {
            mark(layout, e, most, terminated, truncated, counts);
            double toGo = 0;
            for (int t = layout.steps() - 1; t >= 0; t--) {
                int i = layout.at(t, e);
                toGo = counts[i] ? rewards[i] + (terminated[i] || truncated[i] ? 0 : gamma * toGo) : 0;
                returns[i] = (float) toGo;
            }
        }
        compare(counts, returns, advantages);
    }

    /** Marks the steps of the episodes that count. */
    private void mark(
            RolloutLayout layout, int e, int most, boolean[] terminated, boolean[] truncated, boolean[] counts) {
        boolean begins = first[e];
        boolean isCounted = false;
        for (int t = 0; t < layout.steps(); t++) {
            int i = layout.at(t, e);
            isCounted = begins ? t + most <= layout.steps() : isCounted;
            counts[i] = isCounted;
            begins = terminated[i] || truncated[i];
        }
        if (isCounted && !begins) {
            throw new IllegalStateException(
                    "an episode must end within the " + most + " steps of its environment's limit, but has not");
        }
    }

    private void compare(boolean[] counts, float[] returns, float[] advantages) {
        int counted = 0;
        double sum = 0;
        for (int i = 0; i < counts.length; i++) {
            counted += counts[i] ? 1 : 0;
            sum += returns[i]; // 0 where it does not count
        }
        boolean isCompared = baseline == Baseline.MEAN && counted > 0;
        double mean = isCompared ? sum / counted : 0;
        double squares = 0;
        for (int i = 0; i < counts.length; i++) {
            squares += counts[i] ? (returns[i] - mean) * (returns[i] - mean) : 0;
        }
        double unit = isCompared ? Math.sqrt(squares / counted) + 1e-8 : 1;
        for (int i = 0; i < counts.length; i++) {
            advantages[i] = counts[i] ? (float) ((returns[i] - mean) / unit) : 0;
        }
    }
}
