package hocket.rl.losses;

import static hocket.programs.Operators.add;
import static hocket.programs.Operators.max;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.subtract;

import hocket.programs.Value;

/** The combination of an observation's value and the advantages of its n actions in a dueling network. */
public enum Dueling {
    /** {@code v + a - mean(a)} (Wang et al. 2016, equation 9), the usual one. */
    MEAN {
        @Override
        Value level(Value advantages) {
            return mean(advantages, advantages.shape().rank() - 1);
        }
    },

    /** {@code v + a - max(a)} (there, equation 8): the best action's value is v. */
    GREATEST {
        @Override
        Value level(Value advantages) {
            return max(advantages, advantages.shape().rank() - 1);
        }
    };

    abstract Value level(Value advantages);

    /**
     * Computes the values of the actions.
     *
     * @param value one number a row
     * @param advantages (n)
     * @return (n)
     * @throws IllegalArgumentException if the value is more than one number a row, or the advantages are no (n)
     */
    public Value of(Value value, Value advantages) {
        LossArguments.oneNumber("dueling", "the value", value);
        if (advantages.shape().rank() != 1) {
            throw new IllegalArgumentException("dueling: the advantages must be (n), got " + advantages);
        }
        Value height = subtract(reshape(value, 1), reshape(level(advantages), 1));
        return add(advantages, height);
    }
}
