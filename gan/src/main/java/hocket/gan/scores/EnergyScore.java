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
 * The energy score of generated points against real ones: Gneiting and Raftery, Strictly Proper Scoring Rules,
 * Prediction, and Estimation (2007), section 4.3, with β = 1 and the sign changed, so lower is better. Its expectation
 * is lowest for a generator with the real points' distribution, where it is half the mean distance of two of them.
 */
public final class EnergyScore {
    private EnergyScore() {}

    /**
     * The mean of {@code ‖y - x‖ - ‖y - y'‖/2}, one number without a gradient. One pair of generated points for each
     * real one is enough for an unbiased estimate.
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
