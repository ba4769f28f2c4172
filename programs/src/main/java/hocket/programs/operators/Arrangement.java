package hocket.programs.operators;

import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.oneHot;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.slice;

import hocket.programs.Gradients;
import hocket.programs.Value;
import hocket.programs.execution.RowCost;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Operators that move elements and compute nothing. Axes do not count the batch axis. */
public final class Arrangement {
    private Arrangement() {}

    /** Moves elements of any type, whole numbers too. */
    public sealed interface Moving extends Primitive permits Reshape, Concat, Slice, Transpose, Pad, Spread {
        @Override
        int[] sources(int input, List<Value> inputs);
    }

    /**
     * Returns the places of elements in an input.
     *
     * @param back changes the place of an element in the result to that in the input, which may be outside of it
     */
    private static int[] sources(Shape result, Shape input, UnaryOperator<int[]> back) {
        int[] sources = new int[result.size()];
        int[] at = new int[result.rank()];
        for (int i = 0; i < sources.length; i++) {
            sources[i] = place(input, back.apply(at.clone()));
            for (int axis = at.length - 1; axis >= 0 && ++at[axis] == result.get(axis); axis--) {
                at[axis] = 0;
            }
        }
        return sources;
    }

    private static int place(Shape shape, int[] at) {
        int place = 0;
        for (int axis = 0; axis < at.length; axis++) {
            if (at[axis] < 0 || at[axis] >= shape.get(axis)) {
                return -1;
            }
            place = place * shape.get(axis) + at[axis];
        }
        return place;
    }

    private static int[] shifted(int[] at, int axis, int by) {
        at[axis] += by;
        return at;
    }

    /** The same elements in another shape. */
    public record Reshape(Shape shape) implements Moving {
        @Override
        public <R> @Nullable R rule(Rules<R> rules) {
            return rules.reshape(this);
        }

        @Override
        public int[] sources(int input, List<Value> inputs) {
            return IntStream.range(0, shape.size()).toArray();
        }

        @Override
        public Result check(List<Value> inputs) {
            Value x = inputs.get(0);
            if (x.shape().size() != shape.size()) {
                throw new IllegalArgumentException("shape " + shape + " has " + shape.size() + " elements, input "
                        + x.shape() + " has " + x.shape().size());
            }
            return new Result(shape, x.batched(), x.type());
        }

        @Override
        public Value gradient(int input, Value y, Value upstream) {
            return reshape(upstream, y.inputs().get(0).shape().extents());
        }
    }

    /** The inputs one after the other along an axis. */
    public record Concat(int axis) implements Moving {
        @Override
        public Arity arity() {
            return Arity.ONE_OR_MORE;
        }

        @Override
        public <R> @Nullable R rule(Rules<R> rules) {
            return rules.concat(this);
        }

        @Override
        public int[] sources(int input, List<Value> inputs) {
            Shape of = inputs.get(input).shape();
            int begin = begin(input, inputs);
            return Arrangement.sources(check(inputs).shape(), of, at -> shifted(at, axis, -begin));
        }

        @Override
        public String settings() {
            return "axis " + axis;
        }

        @Override
        public Result check(List<Value> inputs) {
            Value first = inputs.get(0);
            checkAxis(first, axis);
            long extent = 0;
            for (Value x : inputs) {
                if (x.batched() != first.batched()
                        || x.type() != first.type()
                        || x.shape().rank() != first.shape().rank()
                        || !x.shape().with(axis, 1).equals(first.shape().with(axis, 1))) {
                    throw new IllegalArgumentException(
                            "needs inputs of equal shape except along axis " + axis + ", got " + first + " and " + x);
                }
                extent += x.shape().get(axis);
            }
            return new Result(first.shape().with(axis, extent(axis, extent)), first.batched(), first.type());
        }

        @Override
        public Value gradient(int input, Value y, Value upstream) {
            int begin = begin(input, y.inputs());
            return slice(
                    upstream, axis, begin, begin + y.inputs().get(input).shape().get(axis));
        }

        private int begin(int input, List<Value> inputs) {
            int begin = 0;
            for (int i = 0; i < input; i++) {
                begin += inputs.get(i).shape().get(axis);
            }
            return begin;
        }
    }

    /** Elements {@code begin} (included) to {@code end} (excluded) of an axis. */
    public record Slice(int axis, int begin, int end) implements Moving {
        @Override
        public <R> @Nullable R rule(Rules<R> rules) {
            return rules.slice(this);
        }

        @Override
        public int[] sources(int input, List<Value> inputs) {
            return Arrangement.sources(check(inputs).shape(), inputs.get(0).shape(), at -> shifted(at, axis, begin));
        }

        @Override
        public String settings() {
            return "axis " + axis + " from " + begin + " to " + end;
        }

        @Override
        public Result check(List<Value> inputs) {
            Value x = inputs.get(0);
            checkAxis(x, axis);
            if (begin < 0 || end <= begin || end > x.shape().get(axis)) {
                throw new IllegalArgumentException("cannot take " + begin + " to " + end + " of axis " + axis
                        + ", which has " + x.shape().get(axis) + " in " + x);
            }
            return new Result(x.shape().with(axis, end - begin), x.batched(), x.type());
        }

        @Override
        public Value gradient(int input, Value y, Value upstream) {
            int extent = y.inputs().get(0).shape().get(axis);
            return y.graph().numbered(new Pad(axis, begin, extent - end), upstream);
        }
    }

    /** The axes in another order: axis i of the result is axis {@code order[i]} of the input. */
    public record Transpose(List<Integer> order) implements Moving {
        @Override
        public <R> @Nullable R rule(Rules<R> rules) {
            return rules.transpose(this);
        }

        @Override
        public int[] sources(int input, List<Value> inputs) {
            return Arrangement.sources(check(inputs).shape(), inputs.get(0).shape(), at -> {
                int[] from = new int[at.length];
                for (int i = 0; i < from.length; i++) {
                    from[order.get(i)] = at[i];
                }
                return from;
            });
        }

        public Transpose {
            order = List.copyOf(order);
        }

        @Override
        public String settings() {
            return "order " + order;
        }

        @Override
        public Result check(List<Value> inputs) {
            Value x = inputs.get(0);
            List<Integer> axes = IntStream.range(0, x.shape().rank()).boxed().toList();
            if (!order.stream().sorted().toList().equals(axes)) {
                throw new IllegalArgumentException(
                        "needs each of the axes " + axes + " of " + x + " once, got " + order);
            }
            int[] extents = order.stream().mapToInt(axis -> x.shape().get(axis)).toArray();
            return new Result(Shape.of(extents), x.batched(), x.type());
        }

        @Override
        public Value gradient(int input, Value y, Value upstream) {
            List<Integer> back =
                    IntStream.range(0, order.size()).map(order::indexOf).boxed().toList();
            return y.graph().numbered(new Transpose(back), upstream);
        }
    }

    /** Zeros before and after an axis. */
    public record Pad(int axis, int before, int after) implements Moving {
        @Override
        public <R> @Nullable R rule(Rules<R> rules) {
            return rules.pad(this);
        }

        @Override
        public int[] sources(int input, List<Value> inputs) {
            return Arrangement.sources(check(inputs).shape(), inputs.get(0).shape(), at -> shifted(at, axis, -before));
        }

        @Override
        public String settings() {
            return "axis " + axis + " by " + before + " and " + after;
        }

        @Override
        public Result check(List<Value> inputs) {
            Value x = inputs.get(0);
            checkAxis(x, axis);
            if (before < 0 || after < 0) {
                throw new IllegalArgumentException(
                        "cannot pad " + x + " by " + before + " and " + after + ": must be at least 0");
            }
            long extent = (long) before + x.shape().get(axis) + after;
            return new Result(x.shape().with(axis, extent(axis, extent)), x.batched(), x.type());
        }

        @Override
        public Value gradient(int input, Value y, Value upstream) {
            return slice(
                    upstream, axis, before, before + y.inputs().get(0).shape().get(axis));
        }
    }

    /**
     * The elements repeated along axes of extent 1, and for every row where there was no batch.
     *
     * @param shape extents of a row of the result, as many as the input has
     * @param batched whether the result has a batch axis; it has where the input has one
     * @param shared whether each repetition is the element divided by their number, so that they add up to it
     */
    public record Spread(Shape shape, boolean batched, boolean shared) implements Moving {
        @Override
        public <R> @Nullable R rule(Rules<R> rules) {
            return rules.spread(this);
        }

        @Override
        public int[] sources(int input, List<Value> inputs) {
            Shape of = inputs.get(0).shape();
            return Arrangement.sources(shape, of, at -> {
                Arrays.setAll(at, axis -> of.get(axis) == 1 ? 0 : at[axis]);
                return at;
            });
        }

        @Override
        public String settings() {
            return "to " + shape + (batched ? " each row" : "") + (shared ? " shared" : "");
        }

        @Override
        public Result check(List<Value> inputs) {
            Value x = shared ? Operator.floating(inputs.get(0)) : inputs.get(0);
            boolean fits = x.shape().rank() == shape.rank() && (batched || !x.batched());
            for (int i = 0; fits && i < shape.rank(); i++) {
                fits = x.shape().get(i) == 1 || x.shape().get(i) == shape.get(i);
            }
            if (!fits) {
                throw new IllegalArgumentException("cannot spread " + x + " " + settings());
            }
            return new Result(shape, batched, x.type());
        }

        @Override
        public Value gradient(int input, Value y, Value upstream) {
            return Gradients.reduced(upstream, y.inputs().get(0), shared ? Reduction.How.MEAN : Reduction.How.SUM);
        }

        @Override
        public RowCost flops(List<Value> inputs, Result result) {
            return shared ? RowCost.each(inputs.get(0).result(), 1) : RowCost.NONE;
        }
    }

    /** Picks from each row (…, n) the element at an INT64 index (…); indices are checked when they are fed. */
    public record Pick() implements Primitive {
        @Override
        public Arity arity() {
            return Arity.TWO;
        }

        @Override
        public <R> @Nullable R rule(Rules<R> rules) {
            return rules.pick(this);
        }

        @Override
        public Result check(List<Value> inputs) {
            Value x = inputs.get(0);
            Value index = inputs.get(1);
            int rank = x.shape().rank();
            if (rank < 1
                    || index.type() != ElementType.INT64
                    || index.batched() != x.batched()
                    || !Shape.of(Arrays.copyOf(x.shape().extents(), rank - 1)).equals(index.shape())) {
                throw new IllegalArgumentException(
                        "needs values (…, n) and INT64 indices (…), got " + x + " and " + index);
            }
            requireBounded(index, x.shape().get(-1));
            return new Result(index.shape(), x.batched(), x.type());
        }

        @Override
        public int indexBound(int input, List<Value> inputs) {
            return input == 1 ? inputs.get(0).shape().get(-1) : 0;
        }

        @Override
        public boolean differentiable(int input) {
            return input == 0;
        }

        @Override
        public Value gradient(int input, Value y, Value upstream) {
            Value chosen = oneHot(y.inputs().get(1), y.inputs().get(0).shape().get(-1));
            return multiply(chosen, Reduction.kept(upstream, y.shape().rank()));
        }
    }

    /** 1 at an index (…) and 0 elsewhere, in (…, entries): INT64 indices, checked when they are fed. */
    public record OneHot(int entries) implements Primitive {
        @Override
        public <R> @Nullable R rule(Rules<R> rules) {
            return rules.oneHot(this);
        }

        @Override
        public String settings() {
            return "of " + entries;
        }

        @Override
        public Result check(List<Value> inputs) {
            Value index = inputs.get(0);
            if (index.type() != ElementType.INT64) {
                throw new IllegalArgumentException("needs INT64 indices, got " + index);
            }
            requireBounded(index, entries);
            int[] extents = Arrays.copyOf(index.shape().extents(), index.shape().rank() + 1);
            extents[extents.length - 1] = entries;
            return new Result(Shape.of(extents), index.batched(), index.graph().floatType());
        }

        @Override
        public int indexBound(int input, List<Value> inputs) {
            return entries;
        }

        @Override
        public boolean differentiable(int input) {
            return false;
        }
    }

    private static int extent(int axis, long extent) {
        if (extent > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "axis " + axis + " would have " + extent + " elements, at most 2147483647 are possible");
        }
        return (int) extent;
    }

    public static void checkAxis(Value x, int axis) {
        if (axis < 0 || axis >= x.shape().rank()) {
            throw new IllegalArgumentException(
                    "there is no axis " + axis + " in " + x + " (the batch axis is not counted)");
        }
    }

    /**
     * Checks that an index has a known bound: a fed index is checked when fed, an argmax or the order of a sort is below
     * its extent, and what is moved is as bounded as before.
     */
    static void requireBounded(Value index, int bound) {
        Operator operator = index.operator();
        if (operator instanceof Leaf.Input) {
            return;
        }
        if (operator instanceof Moving) {
            index.inputs().forEach(input -> requireBounded(input, bound));
            return;
        }
        long least = 0;
        long most;
        if (operator instanceof Reduction.ArgMax) {
            most = index.inputs().get(0).shape().get(-1) - 1L;
        } else if (operator instanceof Reduction.ArgSort order) {
            most = index.shape().get(order.axis()) - 1L;
        } else if (operator instanceof Leaf.Constant constant) {
            least = Arrays.stream(constant.value().longs()).min().orElse(0);
            most = Arrays.stream(constant.value().longs()).max().orElse(0);
        } else {
            throw new IllegalArgumentException(
                    "needs indices that are fed, constant, or found by argmax or a sort, got " + index);
        }
        if (least < 0 || most >= bound) {
            throw new IllegalArgumentException("needs indices from 0 to " + (bound - 1) + ", " + index + " has "
                    + (least < 0 ? least : "up to " + most));
        }
    }
}
