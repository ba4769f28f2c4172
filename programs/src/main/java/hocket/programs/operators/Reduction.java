package hocket.programs.operators;

import static hocket.programs.Operators.divide;
import static hocket.programs.Operators.equal;
import static hocket.programs.Operators.exp;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.subtract;
import static hocket.programs.Operators.sum;
import static hocket.programs.Operators.where;

import hocket.programs.Value;
import hocket.programs.execution.RowCost;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Operators that combine the elements along axes. */
public final class Reduction {
    private Reduction() {}

    /** The combination of elements. */
    public enum How {
        SUM,
        MEAN,
        MAX
    }

    /**
     * A sum, mean or maximum: of all elements of all rows ({@code axis} = {@link #ALL}, one number), over the rows of the
     * batch for each element ({@code axis} = {@link #BATCH}), or along one axis of each row, which the result lacks.
     */
    public record Reduce(How how, int axis) implements Primitive {
        @Override
        public <R> @Nullable R rule(Rules<R> rules) {
            return rules.reduce(this);
        }

        /** Stands for every element of every row. */
        public static final int ALL = -1;

        /** Stands for the batch axis. */
        public static final int BATCH = -2;

        @Override
        public String kind() {
            return how.name().toLowerCase(Locale.ROOT);
        }

        @Override
        public String settings() {
            return axis == ALL ? "" : axis == BATCH ? "over the batch" : "axis " + axis;
        }

        @Override
        public Result check(List<Value> inputs) {
            Value x = Operator.floating(inputs.get(0));
            if (axis == ALL) {
                return new Result(Shape.scalar(), false, x.type());
            }
            if (axis == BATCH) {
                if (!x.batched()) {
                    throw new IllegalArgumentException("needs a batch, got " + x);
                }
                return new Result(x.shape(), false, x.type());
            }
            Arrangement.checkAxis(x, axis);
            return new Result(without(x.shape(), axis), x.batched(), x.type());
        }

        @Override
        public Value gradient(int input, Value y, Value upstream) {
            Value x = y.inputs().get(0);
            if (how == How.MAX) {
                Value among = equal(x, spread(y, x, false));
                Value count = y.graph().numbered(new Reduce(How.SUM, axis), among);
                return where(
                        among,
                        spread(divide(upstream, count), x, false),
                        y.graph().constant(0));
            }
            return spread(upstream, x, how == How.MEAN);
        }

        private Value spread(Value y, Value x, boolean shared) {
            Value kept = y;
            if (axis == ALL) {
                kept = reshape(y, Shape.ones(x.shape().rank()).extents());
            } else if (axis >= 0) {
                kept = kept(y, axis);
            }
            return y.graph().numbered(new Arrangement.Spread(x.shape(), x.batched(), shared), kept);
        }

        @Override
        public RowCost flops(List<Value> inputs, Result result) {
            RowCost combined = RowCost.each(inputs.get(0).result(), 1);
            return how == How.MEAN ? combined.plus(RowCost.each(result, 1)) : combined;
        }
    }

    /** The index of the largest of the last axis, the first of equals. INT64, no gradient. */
    public record ArgMax() implements Primitive {
        @Override
        public <R> @Nullable R rule(Rules<R> rules) {
            return rules.argMax(this);
        }

        @Override
        public String kind() {
            return "argmax";
        }

        @Override
        public Result check(List<Value> inputs) {
            Value x = Operator.floating(inputs.get(0));
            Arrangement.checkAxis(x, x.shape().rank() - 1);
            return new Result(without(x.shape(), x.shape().rank() - 1), x.batched(), ElementType.INT64);
        }

        @Override
        public boolean differentiable(int input) {
            return false;
        }

        @Override
        public RowCost flops(List<Value> inputs, Result result) {
            return RowCost.each(inputs.get(0).result(), 1);
        }
    }

    /**
     * The indices of the elements along an axis in ascending or descending order, INT64; of equals the first comes first,
     * and NaN counts as the largest. No gradient.
     */
    public record ArgSort(int axis, boolean descending) implements Primitive {
        @Override
        public <R> @Nullable R rule(Rules<R> rules) {
            return rules.argSort(this);
        }

        @Override
        public String settings() {
            return "axis " + axis + (descending ? " descending" : "");
        }

        @Override
        public Result check(List<Value> inputs) {
            Value x = Operator.floating(inputs.get(0));
            Arrangement.checkAxis(x, axis);
            return new Result(x.shape(), x.batched(), ElementType.INT64);
        }

        @Override
        public boolean differentiable(int input) {
            return false;
        }

        /** Comparisons of a merge sort. */
        @Override
        public RowCost flops(List<Value> inputs, Result result) {
            int extent = result.shape().get(axis);
            return RowCost.each(result, Integer.SIZE - Integer.numberOfLeadingZeros(extent - 1));
        }
    }

    /** Softmax, or its logarithm computed stably, along an axis. */
    public record Softmax(int axis, boolean logarithm) implements Primitive {
        @Override
        public <R> @Nullable R rule(Rules<R> rules) {
            return rules.softmax(this);
        }

        @Override
        public String kind() {
            return logarithm ? "log_softmax" : "softmax";
        }

        @Override
        public String settings() {
            return "axis " + axis;
        }

        @Override
        public Result check(List<Value> inputs) {
            Arrangement.checkAxis(Operator.floating(inputs.get(0)), axis);
            return inputs.get(0).result();
        }

        @Override
        public Value gradient(int input, Value y, Value upstream) {
            if (logarithm) {
                return subtract(upstream, multiply(exp(y), kept(sum(upstream, axis), axis)));
            }
            return multiply(y, subtract(upstream, kept(sum(multiply(upstream, y), axis), axis)));
        }

        /** The largest, its difference, exp, their sum, and the quotient; or the difference by the sum's logarithm. */
        @Override
        public RowCost flops(List<Value> inputs, Result result) {
            RowCost elements = RowCost.each(result, 5);
            return logarithm ? elements.plus(RowCost.each(sums(result), 1)) : elements;
        }

        private Result sums(Result result) {
            return new Result(without(result.shape(), axis), result.batched(), result.type());
        }
    }

    /** The cumulative sum along an axis, from the end if {@code reversed}. */
    public record CumulativeSum(int axis, boolean reversed) implements Primitive {
        @Override
        public <R> @Nullable R rule(Rules<R> rules) {
            return rules.cumulativeSum(this);
        }

        @Override
        public String settings() {
            return "axis " + axis + (reversed ? " reversed" : "");
        }

        @Override
        public Result check(List<Value> inputs) {
            Arrangement.checkAxis(Operator.floating(inputs.get(0)), axis);
            return inputs.get(0).result();
        }

        @Override
        public Value gradient(int input, Value y, Value upstream) {
            return y.graph().numbered(new CumulativeSum(axis, !reversed), upstream);
        }

        @Override
        public RowCost flops(List<Value> inputs, Result result) {
            return RowCost.each(result, 1);
        }
    }

    /** Returns a reduced value with its axis restored, of extent 1. */
    public static Value kept(Value y, int axis) {
        int[] extents = new int[y.shape().rank() + 1];
        for (int i = 0; i < extents.length; i++) {
            extents[i] = i == axis ? 1 : y.shape().get(i < axis ? i : i - 1);
        }
        return reshape(y, extents);
    }

    private static Shape without(Shape shape, int axis) {
        int[] extents = new int[shape.rank() - 1];
        for (int i = 0; i < extents.length; i++) {
            extents[i] = shape.get(i < axis ? i : i + 1);
        }
        return Shape.of(extents);
    }
}
