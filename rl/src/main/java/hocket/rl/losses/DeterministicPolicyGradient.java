package hocket.rl.losses;

import static hocket.programs.Operators.add;
import static hocket.programs.Operators.clip;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.negate;
import static hocket.programs.Operators.stopGradient;

import hocket.programs.Value;
import hocket.schedulers.settings.Limits;

/**
 * The actor loss of DDPG (Lillicrap et al. 2016) and TD3 (Fujimoto et al. 2018), which follow the critic's gradient.
 * Their critics minimise {@link RegressionLoss#SQUARED} to {@link BellmanTargets#bootstrapped}: of the target critic's
 * value of the target actor's action in DDPG, of {@link BellmanTargets#minQ} of two at {@link #smoothed} in TD3.
 */
public final class DeterministicPolicyGradient {
    private DeterministicPolicyGradient() {}

    /**
     * {@code -mean q(actor's action)} (Silver et al. 2014; Lillicrap et al. 2016, equation 6). The gradient flows
     * through the action into the actor.
     *
     * @param q the critic's value of the actor's actions; in TD3 the first critic's
     * @return one number
     */
    public static Value loss(Value q) {
        return negate(mean(q));
    }

    /**
     * Target policy smoothing: {@code clip(action + clip(noise, -limit, limit), low, high)} (Fujimoto et al. 2018,
     * section 5.3 and algorithm 1). No gradient.
     *
     * @param action of the target actor, (…)
     * @param noise of the same shape, in units of actions: normal of deviation 0.2 for example
     * @param limit 0.5 for example
     * @param low of all actions, -1 for example
     * @param high of all actions
     * @return (…)
     * @throws IllegalArgumentException if the shapes differ, the limit is negative, or low is above high
     */
    public static Value smoothed(Value action, Value noise, double limit, double low, double high) {
        LossArguments.alike("TD3", "the noise", noise, "the action", action);
        Limits.notNegative("TD3: noise limit", limit);
        return stopGradient(clip(add(action, clip(noise, -limit, limit)), low, high));
    }
}
