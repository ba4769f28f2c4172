package hocket.programs;

import hocket.scopes.Shape;
import java.util.List;
import java.util.Locale;

/** Operators that work element by element. */
public final class Elementwise {
    private Elementwise() {}

    /** A function of one number. */
    public enum Function {
        NEGATE,
        RELU,
        TANH,
        SIGMOID,
        SOFTPLUS,
        EXP,
        LOG,
        SQRT,
        SQUARE,
        ABS
    }

    /** {@code function(x)}. */
    public record Unary(Function function) implements Operator {
        @Override
        public String kind() {
            return function.name().toLowerCase(Locale.ROOT);
        }

        @Override
        public Result infer(List<Value> inputs) {
            return floating(inputs.get(0));
        }

        @Override
        public Amount flops(List<Value> inputs, Result result) {
            return Amount.each(result, 1);
        }
    }

    /** {@code x > 0 ? x : slope·x}. */
    public record LeakyRelu(double slope) implements Operator {
        @Override
        public String kind() {
            return "leaky_relu";
        }

        @Override
        public String settings() {
            return "slope " + slope;
        }

        @Override
        public Result infer(List<Value> inputs) {
            return floating(inputs.get(0));
        }

        @Override
        public Amount flops(List<Value> inputs, Result result) {
            return Amount.each(result, 1);
        }
    }

    /** {@code x > 0 ? x : alpha·(exp(x) - 1)}. */
    public record Elu(double alpha) implements Operator {
        @Override
        public String kind() {
            return "elu";
        }

        @Override
        public String settings() {
            return "alpha " + alpha;
        }

        @Override
        public Result infer(List<Value> inputs) {
            return floating(inputs.get(0));
        }

        @Override
        public Amount flops(List<Value> inputs, Result result) {
            return Amount.each(result, 1);
        }
    }

    /** {@code scale·x + shift}. */
    public record Scalar(double scale, double shift) implements Operator {
        @Override
        public String kind() {
            return "scale";
        }

        @Override
        public String settings() {
            return "by " + scale + " plus " + shift;
        }

        @Override
        public Result infer(List<Value> inputs) {
            return floating(inputs.get(0));
        }

        @Override
        public Amount flops(List<Value> inputs, Result result) {
            return Amount.each(result, (scale == 1 ? 0 : 1) + (shift == 0 ? 0 : 1));
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
     * {@code pair(a, b)} with the extents aligned at the end; an axis of extent 1 is repeated, and what has no batch
     * axis is the same for every row. Comparisons give 0 or 1 and no gradient.
     */
    public record Binary(Pair pair) implements Operator {
        @Override
        public String kind() {
            return pair.name().toLowerCase(Locale.ROOT);
        }

        @Override
        public Result infer(List<Value> inputs) {
            Value a = inputs.get(0);
            Value b = inputs.get(1);
            if (a.type() != b.type()) {
                throw new IllegalArgumentException("needs two inputs of one type, got " + a + " and " + b);
            }
            if (pair.smooth && !a.type().isFloating()) {
                throw new IllegalArgumentException("needs FLOAT32 or FLOAT64, got " + a);
            }
            return new Result(
                    broadcast(a, b),
                    a.batched() || b.batched(),
                    pair.smooth ? a.type() : a.graph().floatType());
        }

        @Override
        public boolean differentiable(int input) {
            return pair.smooth;
        }

        private static Shape broadcast(Value a, Value b) {
            int rank = Math.max(a.shape().rank(), b.shape().rank());
            int[] extents = new int[rank];
            for (int i = 1; i <= rank; i++) {
                int left = i > a.shape().rank() ? 1 : a.shape().get(-i);
                int right = i > b.shape().rank() ? 1 : b.shape().get(-i);
                if (left != right && left != 1 && right != 1) {
                    throw new IllegalArgumentException("needs shapes that agree from the end, got " + a + " and " + b);
                }
                extents[rank - i] = Math.max(left, right);
            }
            return Shape.of(extents);
        }

        @Override
        public Amount flops(List<Value> inputs, Result result) {
            return Amount.each(result, 1);
        }
    }

    /** Inverted dropout: the first input times a mask (the second) in TRAIN programs, unchanged in EVAL ones. */
    public record Dropout(double rate) implements Operator {
        @Override
        public String kind() {
            return "dropout";
        }

        @Override
        public String settings() {
            return "rate " + rate;
        }

        @Override
        public Result infer(List<Value> inputs) {
            return floating(inputs.get(0));
        }

        @Override
        public boolean differentiable(int input) {
            return input == 0;
        }

        /** In EVAL programs there is no mask among the inputs. */
        @Override
        public Amount flops(List<Value> inputs, Result result) {
            return Amount.each(result, inputs.size() - 1);
        }
    }

    /** The same values, through which no gradient flows. */
    public record StopGradient() implements Operator {
        @Override
        public String kind() {
            return "stop_gradient";
        }

        @Override
        public Result infer(List<Value> inputs) {
            return inputs.get(0).result();
        }

        @Override
        public boolean differentiable(int input) {
            return false;
        }

        @Override
        public Amount flops(List<Value> inputs, Result result) {
            return Amount.NONE;
        }
    }

    private static Operator.Result floating(Value x) {
        return Operator.floating(x).result();
    }
}
