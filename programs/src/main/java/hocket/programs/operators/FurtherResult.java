package hocket.programs.operators;

import hocket.programs.Value;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;

/**
 * A result of an operator besides the value that it makes, by its index among {@link Operator#furtherResults}: the
 * operator computes it too, without another pass. The input is the operator's value. No gradient.
 */
public record FurtherResult(int index) implements Operator {
    /** Returns an array of numbers for each further result of a value's operator. */
    public static double[][] arrays(Value value) {
        return value.operator().furtherResults(value.inputs()).stream()
                .map(result -> new double[result.shape().size()])
                .toArray(double[][]::new);
    }

    @Override
    public String settings() {
        return "number " + index;
    }

    @Override
    public Result check(List<Value> inputs) {
        Value value = inputs.get(0);
        List<Result> all = value.operator().furtherResults(value.inputs());
        Operator.require(
                index >= 0 && index < all.size(),
                "needs a value of more than " + (index + 1) + " results, got " + value);
        return all.get(index);
    }

    @Override
    public boolean differentiable(int input) {
        return false;
    }

    @Override
    public Map<Integer, Value> gradients(Value result, Value upstream, SortedSet<Integer> wanted) {
        return Map.of();
    }
}
