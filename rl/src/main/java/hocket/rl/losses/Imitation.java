package hocket.rl.losses;

import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.negate;

import hocket.programs.Distributions.Distribution;
import hocket.programs.Value;

/** Imitation as regression (Pomerleau 1991): the demonstrator's actions are made probable. */
public final class Imitation {
    private Imitation() {}

    /**
     * {@code -mean log π(action)}, in nats.
     *
     * @param policy for the demonstrator's observations
     * @param action what the demonstrator did there, as the policy's outcomes are
     * @return one number
     */
    public static Value loss(Distribution policy, Value action) {
        return negate(mean(policy.logProbability(action)));
    }
}
