package hocket.rl.losses;

import static hocket.programs.Operators.argMax;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.oneHot;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.sum;

import hocket.programs.Value;
import hocket.schedulers.settings.Keyed;

/**
 * The description of a return that a network learns for each action: its expectation, its probabilities, or its quantiles. In a
 * file: {@code distribution: expected}, {@code distribution: {categorical: {atoms: 51}}} or {@code distribution: {class:
 * my.Distribution, …}}.
 */
@Keyed
public interface ReturnDistribution {
    /** Returns how many numbers n describe a return. */
    int size();

    /**
     * Returns the expected returns.
     *
     * @param outputs of the network, (…, n)
     * @return (…)
     */
    Value expectation(Value outputs);

    /**
     * Returns what the outputs of an action should become. No gradient flows out of it.
     *
     * @param reward of one step, or the sum of n discounted ones, ()
     * @param discount of the return after them, ()
     * @param next the target network's outputs of the action after them, (n)
     * @return (n)
     */
    Value target(Value reward, Value discount, Value next);

    /**
     * Returns the loss of each row.
     *
     * @param outputs of an action, (n)
     * @param target for it, (n)
     * @return ()
     */
    Value loss(Value outputs, Value target);

    /**
     * Returns the error of each row, (), whose size is its priority: the loss, unless there is a better one.
     *
     * @param loss of these outputs and this target
     */
    default Value error(Value outputs, Value target, Value loss) {
        return loss;
    }

    /**
     * Returns the target by the best action after the step.
     *
     * @param next the target network's outputs, (actions, n)
     * @param values by which the best action is found, (actions): the trained network's expectations in double Q-learning, else
     *     the target network's
     * @return (n)
     */
    default Value target(Value reward, Value discount, Value next, Value values) {
        return target(reward, discount, chosen(next, argMax(values)));
    }

    /**
     * Selects the outputs of one action.
     *
     * @param outputs (actions, n)
     * @param action INT64, an input of the graph or an argmax, ()
     * @return (n)
     * @throws IllegalArgumentException if the outputs are not (actions, n)
     */
    static Value chosen(Value outputs, Value action) {
        if (outputs.shape().rank() != 2) {
            throw new IllegalArgumentException("outputs of actions: must be (actions, n), got " + outputs);
        }
        int actions = outputs.shape().get(0);
        return sum(multiply(reshape(oneHot(action, actions), actions, 1), outputs), 0);
    }

    /** {@link CategoricalReturn} by its default settings. */
    static ReturnDistribution categorical() {
        return CategoricalReturn.usual();
    }
}
