package hocket.programs.operators;

import static hocket.programs.Operators.cos;
import static hocket.programs.Operators.divide;
import static hocket.programs.Operators.equal;
import static hocket.programs.Operators.exp;
import static hocket.programs.Operators.greater;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.negate;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.shift;
import static hocket.programs.Operators.sigmoid;
import static hocket.programs.Operators.sign;
import static hocket.programs.Operators.sin;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.step;
import static hocket.programs.Operators.where;

import hocket.programs.Mode;
import hocket.programs.Operators;
import hocket.programs.Value;
import hocket.programs.execution.RowCost;
import hocket.scopes.Shape;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Operators that work element by element. */
public final class Elementwise {
    private Elementwise() {}

    /** A function that counts as one operation for each element of the result. */
    public sealed interface OneOperation extends Primitive permits Unary, LeakyRelu, Elu, Binary, Where {
        @Override
        default RowCost flops(List<Value> inputs, Result result) {
            return RowCost.each(result, 1);
        }
    }

    /** A function of one number. */
    public enum Function {
        NEGATE(true),
        RELU(true),
        TANH(true),
        SIGMOID(true),
        SOFTPLUS(true),
        EXP(true),
        LOG(true),
        SQRT(true),
        SQUARE(true),
        ABS(true),
        SIN(true),
        COS(true),
        ERF(true),
        STEP(false),
        SIGN(false);

        private final boolean smooth;

        Function(boolean smooth) {
            this.smooth = smooth;
        }
    }

    /** {@code function(x)}. */
    public record Unary(Function function) implements OneOperation {
        @Override
        public <R> @Nullable R rule(Rules<R> rules) {
            return rules.unary(this);
        }

        @Override
        public String kind() {
            return function.name().toLowerCase(Locale.ROOT);
        }

        @Override
        public boolean differentiable(int input) {
            return function.smooth;
        }

        @Override
        public Value gradient(int input, Value y, Value upstream) {
            Value x = y.inputs().get(0);
            return switch (function) {
                case NEGATE -> negate(upstream);
                case RELU -> where(step(x), upstream, y.graph().constant(0));
                case TANH -> multiply(upstream, shift(scale(square(y), -1), 1));
                case SIGMOID -> multiply(upstream, multiply(y, shift(scale(y, -1), 1)));
                case SOFTPLUS -> multiply(upstream, sigmoid(x));
                case EXP -> multiply(upstream, y);
                case LOG -> divide(upstream, x);
                case SQRT -> divide(scale(upstream, 0.5), y);
                case SQUARE -> multiply(scale(upstream, 2), x);
                case ABS -> multiply(upstream, sign(x));
                case SIN -> multiply(upstream, cos(x));
                case COS -> negate(multiply(upstream, sin(x)));
                case ERF -> multiply(scale(upstream, 2 / Math.sqrt(Math.PI)), exp(negate(square(x))));
                case STEP, SIGN -> OneOperation.super.gradient(input, y, upstream);
            };
        }
    }

    /** {@code x > 0 ? x : slope·x}. */
    public record LeakyRelu(double slope) implements OneOperation {
        @Override
        public <R> @Nullable R rule(Rules<R> rules) {
            return rules.leakyRelu(this);
        }

        @Override
        public String settings() {
            return "slope " + slope;
        }

        @Override
        public Value gradient(int input, Value y, Value upstream) {
            return where(step(y.inputs().get(0)), upstream, Operators.scale(upstream, slope));
        }
    }

    /** {@code x > 0 ? x : alpha·(exp(x) - 1)}. */
    public record Elu(double alpha) implements OneOperation {
        @Override
        public <R> @Nullable R rule(Rules<R> rules) {
            return rules.elu(this);
        }

        @Override
        public String settings() {
            return "alpha " + alpha;
        }

        /** Uses {@code y + alpha}, which is the derivative {@code alpha·exp(x)} of the negative part. */
        @Override
        public Value gradient(int input, Value y, Value upstream) {
            Value one = y.graph().constant(1);
            return multiply(upstream, where(step(y.inputs().get(0)), one, shift(y, alpha)));
        }
    }

    /** {@code scale·x + shift}. */
    public record Scalar(double scale, double shift) implements Primitive {
        @Override
        public <R> @Nullable R rule(Rules<R> rules) {
            return rules.scalar(this);
        }

        @Override
        public String kind() {
            return "scale";
        }

        @Override
        public String settings() {
            return "by " + scale + " plus " + shift;
        }

        @Override
        public Value gradient(int input, Value y, Value upstream) {
            return Operators.scale(upstream, scale);
        }

        @Override
        public RowCost flops(List<Value> inputs, Result result) {
            return RowCost.each(result, (scale == 1 ? 0 : 1) + (shift == 0 ? 0 : 1));
        }
    }

    /** A function of two numbers. */
    public enum Pair {
        ADD(true),
        SUBTRACT(true),
        MULTIPLY(true),
        DIVIDE(true),
        MAXIMUM(true),
        MINIMUM(true),
        EQUAL(false),
        GREATER(false);

        private final boolean smooth;

        Pair(boolean smooth) {
            this.smooth = smooth;
        }
    }

    /**
     * {@code pair(a, b)} with the extents aligned at the end; an axis of extent 1 is repeated, and a value without a
     * batch axis is the same for every row. Comparisons give 0 or 1 and no gradient.
     */
    public record Binary(Pair pair) implements OneOperation {
        @Override
        public Arity arity() {
            return Arity.TWO;
        }

        @Override
        public <R> @Nullable R rule(Rules<R> rules) {
            return rules.binary(this);
        }

        @Override
        public String kind() {
            return pair.name().toLowerCase(Locale.ROOT);
        }

        @Override
        public Result check(List<Value> inputs) {
            Value a = inputs.get(0);
            Value b = inputs.get(1);
            if (a.type() != b.type()) {
                throw new IllegalArgumentException("needs two inputs of one type, got " + a + " and " + b);
            }
            if (pair.smooth && !a.type().isFloating()) {
                throw new IllegalArgumentException("needs FLOAT32 or FLOAT64, got " + a);
            }
            return new Result(
                    broadcast(inputs),
                    a.batched() || b.batched(),
                    pair.smooth ? a.type() : a.graph().floatType());
        }

        @Override
        public boolean differentiable(int input) {
            return pair.smooth;
        }

        @Override
        public Value gradient(int input, Value y, Value upstream) {
            Value a = y.inputs().get(0);
            Value b = y.inputs().get(1);
            boolean left = input == 0;
            return switch (pair) {
                case ADD -> upstream;
                case SUBTRACT -> left ? upstream : negate(upstream);
                case MULTIPLY -> multiply(upstream, left ? b : a);
                case DIVIDE -> left ? divide(upstream, b) : negate(divide(multiply(upstream, y), b));
                case MAXIMUM -> routed(greater(b, a), left, upstream);
                case MINIMUM -> routed(greater(a, b), left, upstream);
                case EQUAL, GREATER -> OneOperation.super.gradient(input, y, upstream);
            };
        }

        /** Routes the gradient to the right operand if the condition holds. */
        private static Value routed(Value right, boolean left, Value upstream) {
            Value zero = upstream.graph().constant(0);
            return left ? where(right, zero, upstream) : where(right, upstream, zero);
        }
    }

    /**
     * The second input where the first is not 0, else the third; extents as in {@link Binary}. No gradient flows to the
     * condition, or to elements that were not taken.
     */
    public record Where() implements OneOperation {
        @Override
        public Arity arity() {
            return Arity.THREE;
        }

        @Override
        public <R> @Nullable R rule(Rules<R> rules) {
            return rules.where(this);
        }

        @Override
        public Result check(List<Value> inputs) {
            for (Value input : inputs) {
                if (Operator.floating(input).type() != inputs.get(0).type()) {
                    throw new IllegalArgumentException(
                            "needs inputs of one type, got " + inputs.get(0) + " and " + input);
                }
            }
            return new Result(
                    broadcast(inputs),
                    inputs.stream().anyMatch(Value::batched),
                    inputs.get(0).type());
        }

        @Override
        public boolean differentiable(int input) {
            return input > 0;
        }

        @Override
        public Value gradient(int input, Value y, Value upstream) {
            Value condition = y.inputs().get(0);
            Value zero = y.graph().constant(0);
            return input == 1 ? where(condition, upstream, zero) : where(condition, zero, upstream);
        }
    }

    /** The nearest number in {@code [low, high]}; gradient 1 within, the bounds included, else 0. */
    public record Clip(double low, double high) implements Primitive {
        @Override
        public <R> @Nullable R rule(Rules<R> rules) {
            return rules.clip(this);
        }

        /** @throws IllegalArgumentException unless low is at most high */
        public Clip {
            if (!(low <= high)) {
                throw new IllegalArgumentException("clip: low must be at most high, got " + low + " and " + high);
            }
        }

        @Override
        public String settings() {
            return "from " + low + " to " + high;
        }

        @Override
        public Value gradient(int input, Value y, Value upstream) {
            return where(equal(y.inputs().get(0), y), upstream, y.graph().constant(0));
        }

        @Override
        public RowCost flops(List<Value> inputs, Result result) {
            return RowCost.each(result, 2);
        }
    }

    /** Inverted dropout: the first input times a mask (the second) in TRAIN programs, unchanged in EVAL ones. */
    public record Dropout(double rate) implements Primitive {
        @Override
        public Arity arity() {
            return Arity.TWO;
        }

        @Override
        public <R> @Nullable R rule(Rules<R> rules) {
            return rules.dropout(this);
        }

        @Override
        public String settings() {
            return "rate " + rate;
        }

        @Override
        public Result check(List<Value> inputs) {
            Value mask = inputs.get(1);
            boolean isStandIn = !(mask.operator() instanceof Leaf) // of a composition or the step of a scan
                    || mask.operator() instanceof Leaf.Input; // of a step that was read from JSON
            Operator.require(
                    (isStandIn
                                    || mask.operator() instanceof Leaf.Noise noise
                                            && noise.distribution() instanceof Leaf.Distribution.Mask)
                            && mask.result().equals(inputs.get(0).result()),
                    "needs a mask like its input " + inputs.get(0) + ", got " + mask);
            return Primitive.super.check(inputs);
        }

        /** In EVAL programs there is no mask. */
        @Override
        public List<Value> inputsIn(Mode mode, List<Value> inputs) {
            return mode == Mode.EVAL ? inputs.subList(0, 1) : inputs;
        }

        @Override
        public boolean differentiable(int input) {
            return input == 0;
        }

        @Override
        public Value gradient(int input, Value y, Value upstream) {
            return y.graph().numbered(this, upstream, y.inputs().get(1));
        }

        /** In EVAL programs the inputs have no mask. */
        @Override
        public RowCost flops(List<Value> inputs, Result result) {
            return RowCost.each(result, inputs.size() - 1);
        }
    }

    /** The first input in TRAIN programs, the second in EVAL ones; the other is not computed. Both are of one shape. */
    public record ByMode() implements Primitive {
        @Override
        public Arity arity() {
            return Arity.TWO;
        }

        @Override
        public <R> @Nullable R rule(Rules<R> rules) {
            return rules.byMode(this);
        }

        @Override
        public List<Value> inputsIn(Mode mode, List<Value> inputs) {
            int taken = mode == Mode.TRAIN ? 0 : 1;
            return inputs.subList(taken, taken + 1);
        }

        @Override
        public Result check(List<Value> inputs) {
            return either(inputs.get(0), inputs.get(1));
        }

        @Override
        public Value gradient(int input, Value y, Value upstream) {
            Value zero = scale(upstream, 0);
            return y.graph().numbered(this, input == 0 ? upstream : zero, input == 0 ? zero : upstream);
        }
    }

    /**
     * A running statistic that a TRAIN program updates: there its next value (the first input), in EVAL programs the
     * stored one (the second). The turn that selects its owner (the third, a parameter) stores the next value. No
     * gradient.
     */
    public record Running() implements Primitive {
        @Override
        public Arity arity() {
            return Arity.THREE;
        }

        @Override
        public <R> @Nullable R rule(Rules<R> rules) {
            return rules.running(this);
        }

        /** Positions of the inputs. */
        public static final int NEXT = 0, STATISTIC = 1, OWNER = 2;

        @Override
        public List<Value> inputsIn(Mode mode, List<Value> inputs) {
            int taken = mode == Mode.TRAIN ? 0 : 1;
            return inputs.subList(taken, taken + 1);
        }

        @Override
        public Result check(List<Value> inputs) {
            Leaf.requireStatistic(inputs.get(STATISTIC));
            Operator.require(
                    inputs.get(OWNER).operator() instanceof Leaf.Variable,
                    "needs a parameter, got " + inputs.get(OWNER));
            return either(inputs.get(NEXT), inputs.get(STATISTIC));
        }

        @Override
        public boolean differentiable(int input) {
            return false;
        }
    }

    /** The same values, through which no gradient flows. */
    public record StopGradient() implements Primitive {
        @Override
        public <R> @Nullable R rule(Rules<R> rules) {
            return rules.stopGradient(this);
        }

        @Override
        public Result check(List<Value> inputs) {
            return inputs.get(0).result();
        }

        @Override
        public boolean differentiable(int input) {
            return false;
        }
    }

    private static Operator.Result either(Value a, Value b) {
        if (!a.result().equals(b.result())) {
            throw new IllegalArgumentException("needs two inputs of one shape and type, got " + a + " and " + b);
        }
        return a.result();
    }

    private static Shape broadcast(List<Value> inputs) {
        int rank = inputs.stream().mapToInt(x -> x.shape().rank()).max().orElse(0);
        int[] extents = new int[rank];
        for (int i = 1; i <= rank; i++) {
            int common = 1;
            for (Value x : inputs) {
                int extent = i > x.shape().rank() ? 1 : x.shape().get(-i);
                if (extent != 1 && common != 1 && extent != common) {
                    throw new IllegalArgumentException("needs shapes that agree from the end, got "
                            + inputs.stream().map(Value::toString).collect(Collectors.joining(" and ")));
                }
                common = Math.max(common, extent);
            }
            extents[rank - i] = common;
        }
        return Shape.of(extents);
    }
}
