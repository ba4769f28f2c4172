package hocket.rl.losses;

import static hocket.programs.Operators.abs;
import static hocket.programs.Operators.exp;
import static hocket.programs.Operators.greater;
import static hocket.programs.Operators.maximum;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.minimum;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.negate;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.shift;
import static hocket.programs.Operators.stopGradient;
import static hocket.programs.Operators.subtract;

import hocket.programs.Value;
import hocket.schedulers.settings.Limits;

/**
 * PPO's clipped surrogate loss (Schulman et al. 2017, equation 7) with its diagnostics: {@code -mean min(r·A, clip(r, 1
 * - range, 1 + range)·A)} of ratios {@code r = π(action)/π_old(action)} and advantages A. As in {@code ppo.py} of
 * Stable-Baselines3 and CleanRL.
 *
 * @param loss one number
 * @param ratio r of each row, of the shape of the log-probabilities
 * @param approximateKl the mean of {@link KlEstimator#K3}, one number
 * @param clipFraction the share of rows with {@code |r - 1| > range}, one number without gradient
 */
public record ClippedSurrogate(Value loss, Value ratio, Value approximateKl, Value clipFraction) {
    /**
     * Computes the loss of these rows.
     *
     * @param logProbability of the actions taken, under the policy that is trained
     * @param old of the same actions when they were taken; no gradient flows into it
     * @param advantage of the same shape; no gradient flows into it
     * @param range the distance of a ratio from 1 up to which it has a gradient, 0.2 for example
     * @throws IllegalArgumentException if the shapes differ, or the range is not above 0
     */
    public static ClippedSurrogate of(Value logProbability, Value old, Value advantage, double range) {
        Limits.positive("PPO: clip range", range);
        return of(logProbability, old, advantage, logProbability.graph().constant(range));
    }

    /**
     * Computes the loss with a range that is fed, so that it can shrink during training.
     *
     * @param range one number, above 0
     */
    public static ClippedSurrogate of(Value logProbability, Value old, Value advantage, Value range) {
        LossArguments.alike("PPO", "advantage", advantage, "the log-probability", logProbability);
        LossArguments.oneNumber("PPO", "clip range", range);
        Value given = stopGradient(advantage);
        Value logRatio = logRatio(logProbability, old);
        Value ratio = exp(logRatio);
        Value width = stopGradient(range);
        // Maximum and minimum of equal values pass the gradient to the first, so a ratio at a bound has a gradient.
        Value clipped = minimum(maximum(ratio, shift(scale(width, -1), 1)), shift(width, 1));
        Value loss = negate(mean(minimum(multiply(ratio, given), multiply(clipped, given))));
        Value outside = greater(abs(shift(ratio, -1)), width);
        return new ClippedSurrogate(loss, ratio, mean(KlEstimator.K3.ofLogRatio(logRatio)), mean(outside));
    }

    static Value logRatio(Value logProbability, Value old) {
        LossArguments.alike("PPO", "the old log-probability", old, "the log-probability", logProbability);
        return subtract(logProbability, stopGradient(old));
    }
}
