package hocket.rl.returns;

import hocket.schedulers.settings.Limits;

/**
 * Returns and temporal-difference errors of rewards, with a discount for each step: gamma, or 0 where the episode
 * ended. All agree with the functions of the same name in RLax. Results may overwrite the rewards.
 */
public final class Returns {
    private Returns() {}

    /**
     * {@code δ_t = reward_t + discount_t·next_t - value_t} (Sutton and Barto 2018, equation 6.5; RLax
     * {@code td_learning}).
     *
     * @param values of the observations before each step
     * @param nextValues of those after it
     * @throws IllegalArgumentException if an array is too short
     */
    public static void tdErrors(
            RolloutLayout layout,
            float[] rewards,
            float[] discounts,
            float[] values,
            float[] nextValues,
            float[] errors) {
        check("TD errors", layout, rewards.length, discounts.length, errors.length);
        layout.require("TD errors", "values", values.length);
        layout.require("TD errors", "next values", nextValues.length);
        for (int e = 0; e < layout.environments(); e++) {
            for (int t = 0; t < layout.steps(); t++) {
                int i = layout.at(t, e);
                double target = rewards[i] + (double) discounts[i] * nextValues[i];
                errors[i] = (float) (target - values[i]);
            }
        }
    }

    /**
     * {@code G_t = reward_t + discount_t·G_{t+1}} with the last value as {@code G_T} (Sutton and Barto 2018, equation
     * 3.9; RLax {@code discounted_returns}).
     *
     * @param lastValues of the observation after the last step, for each environment; zeros for rewards alone
     * @throws IllegalArgumentException if an array does not fit
     */
    public static void discounted(
            RolloutLayout layout, float[] rewards, float[] discounts, float[] lastValues, float[] returns) {
        check("discounted returns", layout, rewards.length, discounts.length, returns.length);
        layout.requireEach("discounted returns: last values", lastValues.length);
        for (int e = 0; e < layout.environments(); e++) {
            double sum = lastValues[e];
            for (int t = layout.steps() - 1; t >= 0; t--) {
                int i = layout.at(t, e);
                sum = rewards[i] + discounts[i] * sum;
                returns[i] = (float) sum;
            }
        }
    }

    /**
     * {@code G_t = reward_t + discount_t·(reward_{t+1} + … discount_{t+n-1}·next_{t+n-1})}; where the rollout ends
     * before n steps, its last value ends the sum (Sutton and Barto 2018, equation 7.1; RLax {@code
     * n_step_bootstrapped_returns}). Time grows with n.
     *
     * @param nextValues of the observations after each step
     * @param n at least 1
     * @throws IllegalArgumentException if n is below 1 or an array too short
     */
    public static void nStep(
            RolloutLayout layout, float[] rewards, float[] discounts, float[] nextValues, int n, float[] returns) {
        check("n-step returns", layout, rewards.length, discounts.length, returns.length);
        layout.require("n-step returns", "next values", nextValues.length);
        Limits.atLeast(1, "n-step returns: n", n);
        for (int e = 0; e < layout.environments(); e++) {
            for (int t = 0; t < layout.steps(); t++) {
                int last = Math.min(layout.steps() - t, n) - 1 + t;
                double sum = nextValues[layout.at(last, e)];
                for (int k = last; k >= t; k--) {
                    int j = layout.at(k, e);
                    sum = rewards[j] + discounts[j] * sum;
                }
                int i = layout.at(t, e);
                returns[i] = (float) sum;
            }
        }
    }

    /**
     * {@code G_t = reward_t + discount_t·((1 - lambda)·next_t + lambda·G_{t+1})} with {@code G_T} the last next value
     * (Sutton and Barto 2018, section 12.1; RLax {@code lambda_returns}).
     *
     * @param nextValues of the observations after each step
     * @param lambda in [0, 1]
     * @throws IllegalArgumentException if lambda is out of range or an array too short
     */
    public static void lambda(
            RolloutLayout layout,
            float[] rewards,
            float[] discounts,
            float[] nextValues,
            double lambda,
            float[] returns) {
        check("lambda returns", layout, rewards.length, discounts.length, returns.length);
        layout.require("lambda returns", "next values", nextValues.length);
        Limits.fraction("lambda returns: lambda", lambda);
        for (int e = 0; e < layout.environments(); e++) {
            double sum = nextValues[layout.at(layout.steps() - 1, e)];
            for (int t = layout.steps() - 1; t >= 0; t--) {
                int i = layout.at(t, e);
                sum = rewards[i] + discounts[i] * ((1 - lambda) * nextValues[i] + lambda * sum);
                returns[i] = (float) sum;
            }
        }
    }

    private static void check(String name, RolloutLayout layout, int rewards, int discounts, int results) {
        layout.require(name, "rewards", rewards);
        layout.require(name, "discounts", discounts);
        layout.require(name, "results", results);
    }
}
