package hocket.programs.operators;

import hocket.programs.Operators;
import hocket.programs.Value;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;

/** {@code x·Φ(x) = x·(1 + erf(x/√2))/2}, where Φ is the distribution function of the standard normal distribution. */
public record Gelu() implements Composed {
    /** The factor of what the error function is taken of. */
    public static final double SQRT_HALF = Math.sqrt(0.5);

    @Override
    public Arity arity() {
        return new Arity(1, 1);
    }

    @Override
    public Result check(List<Value> inputs) {
        return Operator.floating(inputs.get(0)).result();
    }

    @Override
    public Value composed(List<Value> inputs) {
        Value x = inputs.get(0);
        Value twice = Operators.shift(Operators.erf(Operators.scale(x, SQRT_HALF)), 1);
        return Operators.multiply(Operators.scale(x, 0.5), twice);
    }

    /** A {@link Gradient}. */
    @Override
    public Map<Integer, Value> gradients(Value result, Value upstream, SortedSet<Integer> wanted) {
        return Map.of(0, new Gradient().of(result.inputs().get(0), upstream));
    }

    /** The gradient by x: of x and the gradient g by the result, {@code g·(Φ(x) + x·φ(x))}, where φ is the density. */
    public record Gradient() implements Composed {
        @Override
        public String kind() {
            return "gelu_gradient";
        }

        @Override
        public Arity arity() {
            return new Arity(2, 2);
        }

        @Override
        public Result check(List<Value> inputs) {
            return Normalised.alike(inputs);
        }

        @Override
        public Value composed(List<Value> inputs) {
            return Composition.gradient(new Gelu(), inputs.subList(0, 1), inputs.get(1), inputs.get(0));
        }
    }
}
