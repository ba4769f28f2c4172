package hocket.rl.losses;

import static hocket.programs.Operators.add;
import static hocket.programs.Operators.clip;
import static hocket.programs.Operators.exp;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.negate;
import static hocket.programs.Operators.relu;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.stopGradient;
import static hocket.programs.Operators.subtract;

import hocket.programs.Value;

/**
 * Implicit Q-learning (Kostrikov et al. 2021), which never asks for the value of an action that the data does not have. Its
 * critics minimise {@link RegressionLoss#SQUARED} to {@link BellmanTargets#bootstrapped} of the state's value.
 */
public final class ImplicitQ {
    private static final double LARGEST_WEIGHT = 100;

    private ImplicitQ() {}

    /**
     * {@code mean(|τ - 1{q < v}|·(q - v)²)} (there, equation 5): v is an expectile of the values of the data's actions.
     *
     * @param q of the data's action, the smallest of the target critics; no gradient flows into it
     * @param v of the observation
     * @param expectile τ, 0.5 for the mean, towards 1 for the maximum
     * @return one number
     * @throws IllegalArgumentException if the shapes differ
     */
    public static Value valueLoss(Value q, Value v, double expectile) {
        LossArguments.alike("IQL", "the state's value", v, "the action's value", q);
        Value above = subtract(stopGradient(q), v);
        Value upper = scale(square(relu(above)), expectile);
        Value lower = scale(square(relu(negate(above))), 1 - expectile);
        return mean(add(upper, lower));
    }

    /**
     * {@code -mean(min(exp(β·(q - v)), 100)·log π(a))} (there, equation 7): actions of the data are imitated by their advantage.
     *
     * @param logProbability of the data's action
     * @param q of that action, the smallest of the target critics; no gradient flows into it
     * @param v of the observation; no gradient flows into it
     * @param inverseTemperature β: 0 imitates all actions alike
     * @return one number
     * @throws IllegalArgumentException if the shapes differ
     */
    public static Value actorLoss(Value logProbability, Value q, Value v, double inverseTemperature) {
        LossArguments.alike("IQL", "the state's value", v, "the action's value", q);
        LossArguments.alike("IQL", "the log-probability", logProbability, "the action's value", q);
        // clipped before the exponential, which would overflow
        double most = StrictMath.log(LARGEST_WEIGHT);
        Value weight = exp(clip(scale(subtract(q, v), inverseTemperature), -Float.MAX_VALUE, most));
        return negate(mean(multiply(stopGradient(weight), logProbability)));
    }
}
