package hocket.rl.returns;

import hocket.schedulers.settings.Limits;

/**
 * The effect of a time limit on a return. A truncated episode did not end by itself: more reward would have followed.
 * An episode that terminated at the same step counts as terminated.
 */
public enum Truncation {
    /** The return continues with {@code gamma·V(terminal observation)} (Pardo et al. 2018; Stable-Baselines3). */
    BOOTSTRAP,

    /** The return ends as if the episode had terminated (CleanRL's {@code ppo.py}). */
    END;

    /**
     * Folds the flags into rewards and discounts: rewards become {@code reward + gamma·finalValue} where truncated and
     * bootstrapped, else {@code reward}; discounts are {@code 0} where the episode ended in either way, else {@code
     * gamma}. The results may overwrite the rewards.
     *
     * @param gamma the discount of one step, in [0, 1]
     * @param finalValues the values of the observations that truncated episodes ended in, read only there, and not at
     *     all under {@link #END}
     * @throws IllegalArgumentException if gamma is out of range or an array too short
     */
    public void fold(
            RolloutLayout layout,
            double gamma,
            float[] rewards,
            boolean[] terminated,
            boolean[] truncated,
            float[] finalValues,
            float[] foldedRewards,
            float[] discounts) {
        layout.require("fold", "rewards", rewards.length);
        Limits.fraction("fold: gamma", gamma);
        layout.require("fold", "terminated", terminated.length);
        layout.require("fold", "truncated", truncated.length);
        if (this == BOOTSTRAP) {
            layout.require("fold", "final values", finalValues.length);
        }
        layout.require("fold", "folded rewards", foldedRewards.length);
        layout.require("fold", "discounts", discounts.length);
        for (int e = 0; e < layout.environments(); e++) {
            for (int t = 0; t < layout.steps(); t++) {
                int i = layout.at(t, e);
                foldedRewards[i] =
                        (float) (rewards[i] + (bootstraps(terminated[i], truncated[i]) ? gamma * finalValues[i] : 0));
                discounts[i] = (float) (terminated[i] || truncated[i] ? 0 : gamma);
            }
        }
    }

    boolean bootstraps(boolean terminated, boolean truncated) {
        return this == BOOTSTRAP && truncated && !terminated;
    }
}
