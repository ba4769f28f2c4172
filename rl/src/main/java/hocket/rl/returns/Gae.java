package hocket.rl.returns;

import hocket.schedulers.settings.Limits;

/**
 * Generalised advantage estimation (Schulman et al. 2016, equation 16): {@code A_t = δ_t + gamma·lambda·(1 -
 * done_t)·A_{t+1}} with {@code δ_t = reward_t + gamma·next_t - value_t}, and returns {@code A_t + value_t}. The next
 * value {@code next_t} is {@code value_{t+1}}, 0 after a termination, and after a truncation as {@link Truncation}
 * defines. With {@link Truncation#BOOTSTRAP} as Stable-Baselines3 (rollout buffer and collection together), with {@link
 * Truncation#END} as CleanRL.
 *
 * @param gamma the discount of one step, in [0, 1]
 * @param lambda in [0, 1]: 0 trusts the values, 1 the rewards
 * @param truncation how a time limit affects the return
 */
public record Gae(double gamma, double lambda, Truncation truncation) implements AdvantageEstimator {
    /** @throws IllegalArgumentException if gamma or lambda are out of range, or the truncation is null */
    public Gae {
        Limits.fraction("GAE: gamma", gamma);
        Limits.fraction("GAE: lambda", lambda);
        ReturnArguments.given("GAE: truncation", truncation, Truncation.values());
    }

    /**
     * Computes advantages and returns of a rollout; they may overwrite rewards and values.
     *
     * @param values of the observations before each step
     * @param terminated whether the episode ended by itself with the step
     * @param truncated whether it was cut off after the step
     * @param finalValues the values of the observations that truncated episodes ended in, read only there, and not at
     *     all under {@link Truncation#END}
     * @param lastValues the value of the observation after the last step, for each environment; not read where that
     *     step ended the episode
     * @throws IllegalArgumentException if an array does not fit
     */
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
        layout.require("GAE", "rewards", rewards.length);
        layout.require("GAE", "values", values.length);
        layout.require("GAE", "terminated", terminated.length);
        layout.require("GAE", "truncated", truncated.length);
        if (truncation == Truncation.BOOTSTRAP) {
            layout.require("GAE", "final values", finalValues.length);
        }
        layout.requireEach("GAE: last values", lastValues.length);
        layout.require("GAE", "advantages", advantages.length);
        layout.require("GAE", "returns", returns.length);
        for (int e = 0; e < layout.environments(); e++) {
            double nextValue = lastValues[e];
            double nextAdvantage = 0;
            for (int t = layout.steps() - 1; t >= 0; t--) {
                int i = layout.at(t, e);
                double value = values[i];
                double goesOn = terminated[i] || truncated[i] ? 0 : 1;
                double next = truncation.bootstraps(terminated[i], truncated[i])
                        ? finalValues[i]
                        : goesOn == 0 ? 0 : nextValue;
                double advantage = rewards[i] + gamma * next - value + gamma * lambda * goesOn * nextAdvantage;
                advantages[i] = (float) advantage;
                returns[i] = (float) (advantage + value);
                nextValue = value;
                nextAdvantage = advantage;
            }
        }
    }
}
