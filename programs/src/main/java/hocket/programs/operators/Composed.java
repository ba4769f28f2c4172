package hocket.programs.operators;

import hocket.programs.Operators;
import hocket.programs.Value;
import hocket.programs.execution.RowCost;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;

/**
 * An operator made of others: a record of its settings, in one file, of a library or a program of its user. It states
 * how it is composed; shape, derivative, cost, text and JSON follow from that, and every lowering runs it: by a rule of
 * its own if it has one, else as it is composed.
 *
 * <pre>{@code
 * record Swish(double slope) implements Composed {
 *     public Value composed(List<Value> inputs) {
 *         Value x = inputs.get(0);
 *         return multiply(x, sigmoid(scale(x, slope)));
 *     }
 * }
 *
 * Value y = new Swish(1.5).of(x);
 * }</pre>
 */
public non-sealed interface Composed extends Operator {
    /**
     * Returns the result, made of the inputs and of constants by operators: without parameters, inputs of the graph or
     * noise of its own, which belong to the inputs.
     *
     * @throws IllegalArgumentException if the inputs do not fit, with a message that continues a path
     */
    Value composed(List<Value> inputs);

    /**
     * Makes a value by this operator.
     *
     * @throws IllegalArgumentException naming the value, if the inputs do not fit; if there is none, or the operator is
     *     no record
     */
    default Value of(Value... inputs) {
        Operator.require(
                this instanceof Record, getClass().getName() + " must be a record, whose components are its settings");
        Operator.require(inputs.length > 0, kind() + " needs an input");
        return inputs[0].graph().numbered(this, inputs);
    }

    /** The components of the record: {@code slope 1.5, shift 0.0}. */
    @Override
    default String settings() {
        String text = toString();
        return text.substring(text.indexOf('[') + 1, text.length() - 1).replace('=', ' ');
    }

    /** That of the composition. */
    @Override
    default Result check(List<Value> inputs) {
        return Composition.of(kind(), this, inputs).result().result();
    }

    /** Those of the composition. */
    @Override
    default int[] indexBounds(int input, List<Value> inputs) {
        if (inputs.get(input).type().isFloating()) {
            return new int[inputs.get(input).shape().size()];
        }
        Composition composition = Composition.of(kind(), this, inputs);
        return Operator.indexBounds(composition.parts(), composition.inputs().get(input));
    }

    /**
     * Those of the composition. To share more or round less is a reason to override this, not another derivative: an
     * engine that derives gradients itself derives them from the composition.
     */
    @Override
    default Map<Integer, Value> gradients(Value result, Value upstream, SortedSet<Integer> wanted) {
        // An input that is read twice gets a gradient for each.
        List<Value> inputs = new ArrayList<>();
        for (Value input : result.inputs()) {
            boolean isRepeated = inputs.contains(input) && input.type().isFloating();
            inputs.add(isRepeated ? Operators.shift(input, 0) : input);
        }
        List<Value> by = wanted.stream().map(inputs::get).toList();
        Map<Value, Value> of = Composition.gradients(this, inputs, upstream, by);
        Map<Integer, Value> gradients = new HashMap<>();
        for (int input : wanted) {
            Value gradient = of.get(inputs.get(input));
            if (gradient != null) {
                gradients.put(input, gradient);
            }
        }
        return gradients;
    }

    /** The sum over the composition. */
    @Override
    default RowCost flops(List<Value> inputs, Result result) {
        return Composition.of(kind(), this, inputs).sum(part -> part.operator().flops(part.inputs(), part.result()));
    }

    @Override
    default RowCost multiplications(List<Value> inputs, Result result) {
        return Composition.of(kind(), this, inputs)
                .sum(part -> part.operator().multiplications(part.inputs(), part.result()));
    }
}
