package hocket.rl.losses;

import static hocket.programs.Operators.add;
import static hocket.programs.Operators.max;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.subtract;

import hocket.programs.Value;
import hocket.scopes.Shape;

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
     * @param value (…)
     * @param advantages (…, n)
     * @return (…, n)
     * @throws IllegalArgumentException if the advantages are not those of as many observations
     */
    public Value of(Value value, Value advantages) {
        LossArguments.vector("dueling", "the advantages", advantages);
        Shape kept = advantages.shape().with(advantages.shape().rank() - 1, 1);
        if (value.shape().size() != kept.size()) {
            throw new IllegalArgumentException("dueling: the value must be one number of each observation, got " + value
                    + " with advantages " + advantages);
        }
        Value height = subtract(reshape(value, kept.extents()), reshape(level(advantages), kept.extents()));
        return add(advantages, height);
    }
}
