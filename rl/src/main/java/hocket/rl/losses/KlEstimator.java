package hocket.rl.losses;

import static hocket.programs.Operators.exp;
import static hocket.programs.Operators.negate;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.shift;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.subtract;

import hocket.programs.Value;

/**
 * Estimators of the divergence {@code KL(old, new)} of an old policy from a new one, from actions that the old policy
 * took, with {@code l = log π_new(action) - log π_old(action)} (Schulman 2020, "Approximating KL divergence").
 */
public enum KlEstimator {
    /** {@code -l}: unbiased, with high variance, and sometimes negative. */
    K1 {
        @Override
        Value ofLogRatio(Value logRatio) {
            return negate(logRatio);
        }
    },

    /** {@code l²/2}: biased, with low variance. */
    K2 {
        @Override
        Value ofLogRatio(Value logRatio) {
            return scale(square(logRatio), 0.5);
        }
    },

    /** {@code (exp(l) - 1) - l}: unbiased and never negative; PPO of Stable-Baselines3 and CleanRL reports it. */
    K3 {
        @Override
        Value ofLogRatio(Value logRatio) {
            return subtract(shift(exp(logRatio), -1), logRatio);
        }
    };

    abstract Value ofLogRatio(Value logRatio);

    /**
     * Estimates the divergence for each row, in nats; the mean over rows estimates that of the policies.
     *
     * @param logProbability of the actions, under the new policy
     * @param old of the same actions when they were taken; no gradient flows into it
     * @return of the shape of the log-probabilities
     * @throws IllegalArgumentException if the shapes differ
     */
    public Value of(Value logProbability, Value old) {
        return ofLogRatio(ClippedSurrogate.logRatio(logProbability, old));
    }
}
