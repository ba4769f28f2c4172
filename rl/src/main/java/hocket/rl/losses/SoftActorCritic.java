package hocket.rl.losses;

import static hocket.programs.Operators.exp;
import static hocket.programs.Operators.logSoftmax;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.negate;
import static hocket.programs.Operators.shift;
import static hocket.programs.Operators.stopGradient;
import static hocket.programs.Operators.subtract;

import hocket.programs.Value;

/**
 * Soft actor-critic (Haarnoja et al. 2018b, "Soft actor-critic algorithms and applications"), as {@code sac.py} of
 * Stable-Baselines3. Its critics minimise {@link RegressionLoss#HALF_SQUARED} to {@link BellmanTargets#bootstrapped} of
 * {@link #softValue}.
 */
public final class SoftActorCritic {
    private SoftActorCritic() {}

    /**
     * {@code q - α·log π(action)} (there, equation 3): an estimate of an observation's soft value from one sampled
     * action.
     *
     * @param q the value of that action, {@link BellmanTargets#minQ} of the target critics'
     * @param logProbability of that action
     * @param temperature α, one number
     * @throws IllegalArgumentException if the shapes differ
     */
    public static Value softValue(Value q, Value logProbability, Value temperature) {
        require(q, logProbability, temperature);
        return subtract(q, multiply(temperature, logProbability));
    }

    /**
     * {@code mean(α·log π(action) - q)} (there, equation 7). The gradient flows through the action into the actor.
     *
     * @param q the value of an action drawn by the actor, {@link BellmanTargets#minQ} of the critics'
     * @param logProbability of that action
     * @param temperature α, one number; no gradient flows into it
     * @return one number
     * @throws IllegalArgumentException if the shapes differ
     */
    public static Value actorLoss(Value q, Value logProbability, Value temperature) {
        require(q, logProbability, temperature);
        return mean(subtract(multiply(stopGradient(temperature), logProbability), q));
    }

    /**
     * {@code Σ_a π(a)·(q(a) - α·log π(a))}: an observation's soft value where actions are discrete (Christodoulou 2019,
     * "Soft actor-critic for discrete action settings", equation 10). The actor maximises its mean (equation 12), with {@code
     * q} and {@code α} from which no gradient flows.
     *
     * @param q (…, n), the values of the actions
     * @param logits (…, n), of the policy
     * @param temperature α, one number
     * @return (…)
     * @throws IllegalArgumentException if the shapes differ
     */
    public static Value expectedSoftValue(Value q, Value logits, Value temperature) {
        Value logProbabilities = logSoftmax(logits);
        return BellmanTargets.expected(softValue(q, logProbabilities, temperature), exp(logProbabilities));
    }

    /** The loss of the temperature, which drives the policy's entropy to a target. Libraries differ. */
    public enum TemperatureLoss {
        /** {@code -mean(log α·(log π + target))}: Stable-Baselines3. Its gradient by log α does not depend on α. */
        OF_LOGARITHM {
            @Override
            Value factor(Value logTemperature) {
                return logTemperature;
            }
        },

        /** {@code -mean(α·(log π + target))}: the paper's equation 18, and CleanRL. */
        OF_TEMPERATURE {
            @Override
            Value factor(Value logTemperature) {
                return exp(logTemperature);
            }
        };

        abstract Value factor(Value logTemperature);

        /**
         * Computes the loss.
         *
         * @param logTemperature log α, one number, a parameter
         * @param logProbability of actions drawn by the actor, or minus its entropy; no gradient flows into it
         * @param targetEntropy in nats, minus the number of actions' components for example
         * @return one number
         * @throws IllegalArgumentException if log α is more than one number
         */
        public Value loss(Value logTemperature, Value logProbability, double targetEntropy) {
            LossArguments.oneNumber("SAC", "the logarithm of the temperature", logTemperature);
            Value excess = shift(stopGradient(logProbability), targetEntropy);
            return negate(mean(multiply(factor(logTemperature), excess)));
        }
    }

    private static void require(Value q, Value logProbability, Value temperature) {
        LossArguments.alike("SAC", "the log-probability", logProbability, "the action's value", q);
        LossArguments.oneNumber("SAC", "the temperature", temperature);
    }
}
