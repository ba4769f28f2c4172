package hocket.gan.scores;

import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.sqrt;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.stopGradient;
import static hocket.programs.Operators.subtract;
import static hocket.programs.Operators.sum;

import hocket.programs.Value;

/**
 * How well a generator foretells points, judged by points that it has not seen: the energy score of Gneiting and Raftery,
 * Strictly Proper Scoring Rules, Prediction, and Estimation (2007), section 4.3, with β = 1 and the other sign: here lower is better; no generator has a
 * lower expectation than the one that draws from where the points come from, half the mean distance of two of these.
 */
public final class EnergyScore {
    private EnergyScore() {}

    /**
     * The mean of {@code ‖y - x‖ - ‖y - y'‖/2}, a number without a gradient. Its expectation needs no more than one pair of
     * drawn points for each real one.
     *
     * @param real points (n)
     * @param drawn points (n)
     * @param again points (n), drawn independently of these
     */
    public static Value of(Value real, Value drawn, Value again) {
        Value score = subtract(distance(drawn, real), scale(distance(drawn, again), 0.5));
        return stopGradient(mean(score));
    }

    private static Value distance(Value a, Value b) {
        return sqrt(sum(square(subtract(a, b)), 0));
    }
}
