package hocket.rl.losses;

import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.negate;

import hocket.programs.Value;
import hocket.programs.layers.Distributions.Distribution;

/** Behaviour cloning (Pomerleau 1991): the negative log-likelihood of the demonstrator's actions. */
public final class BehaviourCloningLoss {
    private BehaviourCloningLoss() {}

    /**
     * {@code -mean log π(action)}, in nats.
     *
     * @param policy the distribution of actions for the demonstrator's observations
     * @param action the demonstrator's actions, as the policy's outcomes
     * @return one number
     */
    public static Value loss(Distribution policy, Value action) {
        return negate(mean(policy.logProbability(action)));
    }
}
