package hocket.rl.returns;

import hocket.schedulers.settings.Limits;
import java.util.Objects;

/**
 * Retrace(lambda) (Munos et al. 2016, section 3): off-policy values of the actions of a policy π from rollouts of
 * another, μ. {@code G_t = reward_t + discount_t·(Σ_a π(a)·q(a) + c·(G_{t+1} - q(action)))} with {@code c =
 * lambda·min(1, π(action)/(μ(action) + epsilon))}, where terms of step t + 1 belong to the observation and action after
 * step t, and the last step has only the expectation. Agrees with RLax {@code retrace}.
 *
 * @param lambda in [0, 1]
 * @param epsilon added to the divisor to keep the ratio finite, 1e-8 in RLax
 */
public record Retrace(double lambda, double epsilon) {
    /** @throws IllegalArgumentException if lambda is out of range, or epsilon negative */
    public Retrace {
        Limits.fraction("Retrace: lambda", lambda);
        ReturnArguments.notNegative("Retrace: epsilon", epsilon);
    }

    /**
     * Computes the targets G of the actions taken; they may overwrite the rewards.
     *
     * @param actions n, the number of actions
     * @param nextValues q of the n actions after each step: those of the step at i from {@code i·n}
     * @param policy π of the n actions after each step, in the same order
     * @param nextActions the action taken after each step
     * @param behaviour μ of that action
     * @throws IllegalArgumentException if an array is too short
     * @throws IndexOutOfBoundsException if an action is not in 0..n-1
     */
    public void targets(
            RolloutLayout layout,
            int actions,
            float[] rewards,
            float[] discounts,
            float[] nextValues,
            float[] policy,
            long[] nextActions,
            float[] behaviour,
            float[] targets) {
        layout.require("Retrace", "rewards", rewards.length);
        layout.require("Retrace", "discounts", discounts.length);
        layout.require("Retrace", "next actions", nextActions.length);
        layout.require("Retrace", "behaviour", behaviour.length);
        layout.require("Retrace", "targets", targets.length);
        requireAll(layout, actions, nextValues.length, policy.length);
        for (int e = 0; e < layout.environments(); e++) {
            double beyond = 0;
            for (int t = layout.steps() - 1; t >= 0; t--) {
                int i = layout.at(t, e);
                double expected = 0;
                for (int a = i * actions; a < (i + 1) * actions; a++) {
                    expected += (double) policy[a] * nextValues[a];
                }
                int taken = i * actions + (int) Objects.checkIndex(nextActions[i], (long) actions);
                double trace = lambda * Math.min(1, policy[taken] / (behaviour[i] + epsilon));
                double correction = t == layout.steps() - 1 ? 0 : trace * (beyond - nextValues[taken]);
                beyond = rewards[i] + discounts[i] * (expected + correction);
                targets[i] = (float) beyond;
            }
        }
    }

    private static void requireAll(RolloutLayout layout, int actions, int nextValues, int policy) {
        Limits.atLeast(1, "Retrace: actions", actions);
        long least = (long) layout.length() * actions;
        if (nextValues < least || policy < least) {
            throw new IllegalArgumentException("Retrace: next values and policy: must have at least " + least
                    + " elements, " + actions + " actions of each step, had " + nextValues + " and " + policy);
        }
    }
}
