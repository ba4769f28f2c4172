package hocket.rl.losses;

import static hocket.programs.Operators.divide;
import static hocket.programs.Operators.equal;
import static hocket.programs.Operators.greater;
import static hocket.programs.Operators.maximum;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.negate;
import static hocket.programs.Operators.shift;
import static hocket.programs.Operators.sqrt;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.stopGradient;
import static hocket.programs.Operators.subtract;
import static hocket.programs.Operators.sum;
import static hocket.programs.Operators.where;

import hocket.programs.Value;

/** The policy-gradient losses of REINFORCE and A2C, of which PPO uses some. */
public final class PolicyGradient {
    /**
     * The number that keeps the quotient finite where all advantages are equal, as in Stable-Baselines3 and CleanRL.
     */
    private static final double LEAST_DEVIATION = 1e-8;

    private PolicyGradient() {}

    /**
     * {@code -mean(advantage · log π(action))} (Williams 1992; Mnih et al. 2016, section 4), as A2C of
     * Stable-Baselines3.
     *
     * @param logProbability of the actions taken
     * @param advantage of the same shape; no gradient flows into it
     * @return one number
     * @throws IllegalArgumentException if the shapes differ
     */
    public static Value loss(Value logProbability, Value advantage) {
        LossArguments.alike("policy gradient", "advantage", advantage, "the log-probability", logProbability);
        return negate(mean(multiply(stopGradient(advantage), logProbability)));
    }

    /**
     * The entropy bonus as a loss: {@code -mean(entropy)} (Mnih et al. 2016, section 4). Where an entropy has no closed
     * form, {@code -log π(action)} of a sample stands for it.
     *
     * @param entropy of the policy in each row, in nats
     * @return one number
     */
    public static Value entropyLoss(Value entropy) {
        return negate(mean(entropy));
    }

    /**
     * {@code (advantage - mean) / (deviation + 1e-8)} over the rows of a batch, with the unbiased deviation (of n - 1),
     * as PPO of Stable-Baselines3 and CleanRL. A single row is unchanged. No gradient.
     *
     * @return of the shape of the advantages
     */
    public static Value normalised(Value advantage) {
        Value given = stopGradient(advantage);
        Value one = given.graph().constant(1);
        Value count = sum(equal(given, given));
        Value centred = subtract(given, mean(given));
        Value variance = divide(sum(square(centred)), maximum(shift(count, -1), one));
        Value scaled = divide(centred, shift(sqrt(variance), LEAST_DEVIATION));
        return stopGradient(where(greater(count, one), scaled, given));
    }
}
