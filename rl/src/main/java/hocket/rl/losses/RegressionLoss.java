package hocket.rl.losses;

import static hocket.programs.Operators.abs;
import static hocket.programs.Operators.clip;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.stopGradient;
import static hocket.programs.Operators.subtract;

import hocket.programs.Operators;
import hocket.programs.Value;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** The losses of critics, as functions of the error from a target, by the convention of each algorithm. */
public enum RegressionLoss {
    /** {@code e²}: TD3 and DDPG (Stable-Baselines3, CleanRL), and DQN of CleanRL. */
    SQUARED {
        @Override
        public Value of(Value error) {
            return square(error);
        }
    },

    /** {@code e²/2}: SAC (Haarnoja et al. 2018b, equation 5; Stable-Baselines3). */
    HALF_SQUARED {
        @Override
        public Value of(Value error) {
            return scale(square(error), 0.5);
        }
    },

    /**
     * {@code e²/2} where {@code |e| ≤ 1}, else {@code |e| - 1/2}: DQN (Mnih et al. 2015, methods; Stable-Baselines3).
     */
    HUBER {
        @Override
        public Value of(Value error) {
            return huber(error, 1);
        }
    };

    /** The loss of each error. */
    public abstract Value of(Value error);

    /**
     * {@code Σ mean of(target - prediction)}, summed over the critics.
     *
     * @param target of each row; no gradient flows into it
     * @param predictions of each critic, of the shape of the target
     * @return one number
     * @throws IllegalArgumentException if there is no prediction, or a shape differs
     */
    public Value loss(Value target, Value... predictions) {
        return loss(target, predictions, error -> mean(of(error)));
    }

    /**
     * The loss with a weight for each row, {@code Σ mean weight·of(target - prediction)}: the importance weights of a
     * prioritised replay (Schaul et al. 2016, algorithm 1).
     *
     * @param weight of each row; no gradient flows into it
     */
    public Value weighted(Value weight, Value target, Value... predictions) {
        LossArguments.alike("regression", "the weight", weight, "the target", target);
        return loss(target, predictions, error -> mean(multiply(stopGradient(weight), of(error))));
    }

    private static Value loss(Value target, Value[] predictions, UnaryOperator<Value> each) {
        LossArguments.atLeastOne("regression", "predictions", predictions);
        Value given = stopGradient(target);
        return Stream.of(predictions)
                .map(prediction -> {
                    LossArguments.alike("regression", "a prediction", prediction, "the target", target);
                    return each.apply(subtract(given, prediction));
                })
                .reduce(Operators::add)
                .orElseThrow();
    }

    /** {@code e²/2} where {@code |e| ≤ threshold}, else {@code threshold·(|e| - threshold/2)} (Huber 1964). */
    static Value huber(Value error, double threshold) {
        Value size = abs(error);
        Value within = clip(size, 0, threshold);
        return multiply(within, subtract(size, scale(within, 0.5)));
    }
}
