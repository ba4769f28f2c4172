package hocket.rl.returns;

import hocket.schedulers.settings.Limits;

/**
 * V-trace (Espeholt et al. 2018, section 4.1): off-policy values of a policy π from rollouts of another, μ, with ratios
 * {@code ρ_t = π(action_t)/μ(action_t)}. {@link #targets} are for the critic; {@link #actionValues} are computed from
 * them, and {@link #advantages} for the actor from those. All agree with RLax {@code vtrace_td_error_and_advantage}.
 * Fold truncated episodes first ({@link Truncation#fold}), so that their discount is 0.
 *
 * @param lambda in [0, 1]; 1 in the paper (there, remark 2)
 * @param clipRho ρ̄, the upper bound of ratios in the targets; usually 1, infinity for no bound
 * @param clipPolicyRho the upper bound of ratios in the advantages
 */
public record VTrace(double lambda, double clipRho, double clipPolicyRho) {
    /** @throws IllegalArgumentException if lambda is out of range, or a limit negative */
    public VTrace {
        Limits.fraction("V-trace: lambda", lambda);
        ReturnArguments.notNegative("V-trace: ratio limit", clipRho);
        ReturnArguments.notNegative("V-trace: ratio limit of the policy", clipPolicyRho);
    }

    /**
     * {@code v_t = value_t + ε_t} with {@code ε_t = min(ρ̄, ρ_t)·(reward_t + discount_t·next_t - value_t) +
     * discount_t·lambda·min(1, ρ_t)·ε_{t+1}} (there, equation 1). They may be written over any of the others.
     *
     * @param values of the observations before each step, by the trained critic
     * @param nextValues of those after it
     * @param ratios ρ
     * @throws IllegalArgumentException if an array is too short
     */
    public void targets(
            RolloutLayout layout,
            float[] rewards,
            float[] discounts,
            float[] values,
            float[] nextValues,
            float[] ratios,
            float[] targets) {
        check(layout, rewards.length, discounts.length, values.length, nextValues.length, targets.length);
        layout.require("V-trace", "ratios", ratios.length);
        for (int e = 0; e < layout.environments(); e++) {
            double excess = 0;
            for (int t = layout.steps() - 1; t >= 0; t--) {
                int i = layout.at(t, e);
                double value = values[i];
                double discount = discounts[i];
                double error = Math.min(clipRho, ratios[i]) * (rewards[i] + discount * nextValues[i] - value);
                excess = error + discount * lambda * Math.min(1, ratios[i]) * excess;
                targets[i] = (float) (value + excess);
            }
        }
    }

    /**
     * {@code q_t = reward_t + discount_t·(lambda·v_{t+1} + (1 - lambda)·value_{t+1})}, at the last step {@code reward +
     * discount·next} (there, section 4.2): the values of the actions taken. They may be written over the rewards.
     *
     * @param targets v, of {@link #targets}
     * @throws IllegalArgumentException if an array is too short
     */
    public void actionValues(
            RolloutLayout layout,
            float[] rewards,
            float[] discounts,
            float[] values,
            float[] nextValues,
            float[] targets,
            float[] actionValues) {
        check(layout, rewards.length, discounts.length, values.length, nextValues.length, targets.length);
        layout.require("V-trace", "values of actions", actionValues.length);
        for (int e = 0; e < layout.environments(); e++) {
            double next = nextValues[layout.at(layout.steps() - 1, e)];
            for (int t = layout.steps() - 1; t >= 0; t--) {
                int i = layout.at(t, e);
                actionValues[i] = (float) (rewards[i] + discounts[i] * next);
                next = lambda * targets[i] + (1 - lambda) * values[i];
            }
        }
    }

    /**
     * {@code A_t = min(ρ̄_policy, ρ_t)·(q_t - value_t)} (there, section 4.2). They may be written over any of the
     * others.
     *
     * @param actionValues q, of {@link #actionValues}
     * @throws IllegalArgumentException if an array is too short
     */
    public void advantages(
            RolloutLayout layout, float[] values, float[] ratios, float[] actionValues, float[] advantages) {
        layout.require("V-trace", "values", values.length);
        layout.require("V-trace", "ratios", ratios.length);
        layout.require("V-trace", "values of actions", actionValues.length);
        layout.require("V-trace", "advantages", advantages.length);
        for (int e = 0; e < layout.environments(); e++) {
            for (int t = 0; t < layout.steps(); t++) {
                int i = layout.at(t, e);
                advantages[i] = (float) (Math.min(clipPolicyRho, ratios[i]) * ((double) actionValues[i] - values[i]));
            }
        }
    }

    private static void check(
            RolloutLayout layout, int rewards, int discounts, int values, int nextValues, int targets) {
        layout.require("V-trace", "rewards", rewards);
        layout.require("V-trace", "discounts", discounts);
        layout.require("V-trace", "values", values);
        layout.require("V-trace", "next values", nextValues);
        layout.require("V-trace", "targets", targets);
    }
}
