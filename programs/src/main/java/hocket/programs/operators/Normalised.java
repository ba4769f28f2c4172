package hocket.programs.operators;

import static hocket.programs.Operators.divide;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.shift;
import static hocket.programs.Operators.sqrt;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.stopGradient;
import static hocket.programs.Operators.subtract;

import hocket.programs.Value;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;

/**
 * Rows split into parts of neighbouring elements, each part brought to a common size by itself: {@code (x - mean) /
 * sqrt(variance + epsilon)}, or {@code x / sqrt(mean(x²) + epsilon)}. The result has the shape of x.
 *
 * @param parts number of parts, a divisor of the number of elements
 * @param epsilon added to what the root is taken of
 * @param centred whether the mean is subtracted
 */
public record Normalised(int parts, double epsilon, boolean centred) implements Composed {
    /**
     * In groups of fewer elements almost all of a gradient cancels: centring it again before the division doubles the
     * digits that FLOAT32 keeps.
     */
    private static final int FEW = 4;

    /** {@code (x - mean) / sqrt(variance + epsilon)} of each part. */
    public static Value standardised(String name, Value x, int parts, double epsilon) {
        Normalised norm = new Normalised(parts, positive(name, epsilon), true);
        return x.shape().size() / parts < FEW ? norm.composed(List.of(x)) : norm.of(x);
    }

    /** {@code x / sqrt(mean(x²) + epsilon)} of each part. */
    public static Value ofRootMeanSquare(String name, Value x, int parts, double epsilon) {
        return new Normalised(parts, positive(name, epsilon), false).of(x);
    }

    /** Each channel standardised. */
    public static Value instances(String name, Value x, double epsilon) {
        if (x.shape().rank() < 2) {
            throw new IllegalArgumentException(
                    name + ": instance norm needs rows (channels, …) of at least two axes, input is " + x);
        }
        return standardised(name, x, x.shape().get(0), epsilon);
    }

    /** Returns the number of channels of x (channels, …). */
    public static int channels(String name, Value x) {
        if (x.shape().rank() < 1) {
            throw new IllegalArgumentException(name + ": needs rows (channels, …), input is " + x);
        }
        return x.shape().get(0);
    }

    private static double positive(String name, double epsilon) {
        if (!(epsilon > 0)) {
            throw new IllegalArgumentException(name + ": epsilon must be above 0, was " + epsilon);
        }
        return epsilon;
    }

    @Override
    public Arity arity() {
        return new Arity(1, 1);
    }

    @Override
    public Result check(List<Value> inputs) {
        Value x = Operator.floating(inputs.get(0));
        Operator.require(
                parts > 0 && x.shape().size() % parts == 0, "needs elements that " + parts + " parts divide, got " + x);
        Operator.require(epsilon > 0, "epsilon must be above 0, was " + epsilon);
        return x.result();
    }

    @Override
    public Value composed(List<Value> inputs) {
        Value x = inputs.get(0);
        int width = x.shape().size() / parts;
        Value rows = reshape(x, parts, width);
        Value part = divided(centred ? centredTwice(rows) : rows);
        return reshape(centred && width < FEW ? centred(part) : part, x.shape().extents());
    }

    /**
     * The rounding error of the mean of close values is as large as their differences, so the remainder is centred
     * again. Its own mean is 0 except for rounding, and so is the gradient.
     */
    private static Value centredTwice(Value rows) {
        Value once = centred(rows);
        return subtract(once, stopGradient(Reduction.kept(mean(once, 1), 1)));
    }

    private static Value centred(Value rows) {
        return subtract(rows, Reduction.kept(mean(rows, 1), 1));
    }

    private Value divided(Value rows) {
        return divide(rows, sqrt(shift(Reduction.kept(mean(square(rows), 1), 1), epsilon)));
    }

    /** A {@link Gradient}. */
    @Override
    public Map<Integer, Value> gradients(Value result, Value upstream, SortedSet<Integer> wanted) {
        return Map.of(0, new Gradient(this).of(result.inputs().get(0), upstream));
    }

    /**
     * The gradient by x: of x and the gradient g by the result y, {@code (g - mean(g) - y·mean(g·y)) / sqrt(variance +
     * epsilon)}, of parts that are not centred without the mean of g.
     *
     * @param norm the normalisation
     */
    public record Gradient(Normalised norm) implements Composed {
        @Override
        public String kind() {
            return "normalised_gradient";
        }

        @Override
        public Arity arity() {
            return new Arity(2, 2);
        }

        @Override
        public String settings() {
            return norm.settings();
        }

        @Override
        public Result check(List<Value> inputs) {
            norm.check(inputs.subList(0, 1));
            return alike(inputs);
        }

        @Override
        public Value composed(List<Value> inputs) {
            return Composition.gradient(norm, inputs.subList(0, 1), inputs.get(1), inputs.get(0));
        }
    }

    /** Checks that the gradient by a result is like what it was made of. */
    static Result alike(List<Value> inputs) {
        Result result = Operator.floating(inputs.get(0)).result();
        Operator.require(
                result.equals(inputs.get(1).result()),
                "needs a gradient like " + inputs.get(0) + ", got " + inputs.get(1));
        return result;
    }
}
