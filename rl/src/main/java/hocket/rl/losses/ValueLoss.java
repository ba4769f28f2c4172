package hocket.rl.losses;

import static hocket.programs.Operators.add;
import static hocket.programs.Operators.clip;
import static hocket.programs.Operators.maximum;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.stopGradient;
import static hocket.programs.Operators.subtract;

import hocket.programs.Value;
import hocket.schedulers.settings.Limits;

/**
 * The critic's loss in PPO and A2C: libraries differ in their factor and in the effect of clipping. All clip the
 * prediction to {@code c = old + clip(value - old, -range, range)}.
 */
public enum ValueLoss {
    /** {@code mean (value - return)²}; clipped {@code mean (c - return)²} ({@code ppo.py} of Stable-Baselines3). */
    STABLE_BASELINES3 {
        @Override
        public Value loss(Value value, Value target) {
            return mean(squares(value, target));
        }

        @Override
        Value clipped(Value value, Value within, Value target) {
            return loss(within, target);
        }
    },

    /**
     * {@code mean (value - return)² / 2}; clipped {@code mean max((value - return)², (c - return)²) / 2}
     * ({@code ppo.py} of CleanRL).
     */
    CLEAN_RL {
        @Override
        public Value loss(Value value, Value target) {
            return scale(mean(squares(value, target)), 0.5);
        }

        @Override
        Value clipped(Value value, Value within, Value target) {
            return scale(mean(maximum(squares(value, target), squares(within, target))), 0.5);
        }
    },

    /**
     * {@code mean h(value - return)} with Huber's loss of threshold 10; clipped {@code mean max(h(value - return), h(c - return))}
     * (the code of Yu et al. 2022, MAPPO). It goes with normalised values.
     */
    MAPPO {
        @Override
        public Value loss(Value value, Value target) {
            return mean(huber(value, target));
        }

        @Override
        Value clipped(Value value, Value within, Value target) {
            return mean(maximum(huber(value, target), huber(within, target)));
        }
    };

    private static final double THRESHOLD = 10;

    /**
     * The loss without clipping.
     *
     * @param value predicted for each row
     * @param target its return, of the same shape; no gradient flows into it
     * @return one number
     * @throws IllegalArgumentException if the shapes differ
     */
    public abstract Value loss(Value value, Value target);

    abstract Value clipped(Value value, Value within, Value target);

    /**
     * The loss with clipping.
     *
     * @param value predicted for each row
     * @param old the prediction at the time of collection; no gradient flows into it
     * @param target the return of each row; no gradient flows into it
     * @param range the maximum distance of a prediction from the old one, in units of the return
     * @return one number
     * @throws IllegalArgumentException if the shapes differ, or the range is not above 0
     */
    public Value clipped(Value value, Value old, Value target, double range) {
        LossArguments.alike("value loss", "the old value", old, "the value", value);
        Limits.positive("value loss: clip range", range);
        Value before = stopGradient(old);
        return clipped(value, add(before, clip(subtract(value, before), -range, range)), target);
    }

    private static Value squares(Value value, Value target) {
        return square(error(value, target));
    }

    private static Value huber(Value value, Value target) {
        return RegressionLoss.huber(error(value, target), THRESHOLD);
    }

    private static Value error(Value value, Value target) {
        LossArguments.alike("value loss", "the return", target, "the value", value);
        return subtract(value, stopGradient(target));
    }
}
