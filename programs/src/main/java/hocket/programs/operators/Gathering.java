package hocket.programs.operators;

import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.oneHot;
import static hocket.programs.Operators.pad;
import static hocket.programs.Operators.pick;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.slice;
import static hocket.programs.Operators.spread;
import static hocket.programs.Operators.sum;
import static hocket.programs.Operators.transpose;

import hocket.programs.Value;
import hocket.programs.execution.RowCost;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.stream.IntStream;

/** Operators that read or add at INT64 indices; these are checked when they are fed. */
public final class Gathering {
    private Gathering() {}

    /**
     * Elements at indices along an axis, the other places as they are: {@code y[…, i, …] = x[…, index[…, i, …], …]}.
     * The indices have the extents of x except along the axis.
     */
    public record Gather(int axis) implements Composed {
        @Override
        public Arity arity() {
            return Arity.TWO;
        }

        @Override
        public String settings() {
            return "axis " + axis;
        }

        @Override
        public Result check(List<Value> inputs) {
            Value x = Operator.floating(inputs.get(0));
            Value index = inputs.get(1);
            Arrangement.checkAxis(x, axis);
            requireIndices(x, index, axis);
            Arrangement.requireBounded(index, x.shape().get(axis));
            return new Result(index.shape(), x.batched(), x.type());
        }

        @Override
        public int indexBound(int input, List<Value> inputs) {
            return input == 1 ? inputs.get(0).shape().get(axis) : 0;
        }

        @Override
        public boolean differentiable(int input) {
            return input == 0;
        }

        @Override
        public Value composed(List<Value> inputs) {
            Value x = last(inputs.get(0), axis);
            Value index = last(inputs.get(1), axis);
            int[] single = Arrays.copyOf(x.shape().extents(), x.shape().rank() + 1);
            int entries = x.shape().get(-1);
            single[single.length - 2] = 1;
            single[single.length - 1] = entries;
            int[] many = single.clone();
            many[many.length - 2] = index.shape().get(-1);
            return last(pick(spread(reshape(x, single), many), index), axis); // the same exchange back
        }

        @Override
        public Map<Integer, Value> gradients(Value y, Value upstream, SortedSet<Integer> wanted) {
            Value x = y.inputs().get(0);
            ScatterAdd add = new ScatterAdd(axis, x.shape().get(axis));
            return Map.of(0, y.graph().numbered(add, upstream, y.inputs().get(1)));
        }

        @Override
        public RowCost flops(List<Value> inputs, Result result) {
            return RowCost.NONE;
        }

        @Override
        public RowCost multiplications(List<Value> inputs, Result result) {
            return RowCost.NONE;
        }
    }

    /**
     * The gradient of {@link Gather}: zeros, to which each element is added at its index along an axis; those of one place
     * add up. Elements and indices have equal extents.
     *
     * @param entries extent of the axis in the result
     */
    public record ScatterAdd(int axis, int entries) implements Composed {
        @Override
        public Arity arity() {
            return Arity.TWO;
        }

        @Override
        public String settings() {
            return "axis " + axis + " of " + entries;
        }

        @Override
        public Result check(List<Value> inputs) {
            Value x = Operator.floating(inputs.get(0));
            Value index = inputs.get(1);
            Arrangement.checkAxis(x, axis);
            requireIndices(x, index, axis);
            Operator.require(
                    x.shape().equals(index.shape()), "needs an index for each element, got " + x + " and " + index);
            Arrangement.requireBounded(index, entries);
            return new Result(x.shape().with(axis, entries), x.batched(), x.type());
        }

        @Override
        public int indexBound(int input, List<Value> inputs) {
            return input == 1 ? entries : 0;
        }

        @Override
        public boolean differentiable(int input) {
            return input == 0;
        }

        @Override
        public Value composed(List<Value> inputs) {
            Value x = last(inputs.get(0), axis);
            Value chosen = oneHot(last(inputs.get(1), axis), entries);
            Value each = multiply(chosen, reshape(x, withOne(x.shape())));
            return last(sum(each, x.shape().rank() - 1), axis);
        }

        @Override
        public Map<Integer, Value> gradients(Value y, Value upstream, SortedSet<Integer> wanted) {
            return Map.of(
                    0, y.graph().numbered(new Gather(axis), upstream, y.inputs().get(1)));
        }

        @Override
        public RowCost flops(List<Value> inputs, Result result) {
            return RowCost.each(inputs.get(0).result(), 1);
        }

        @Override
        public RowCost multiplications(List<Value> inputs, Result result) {
            return RowCost.NONE;
        }
    }

    /**
     * The gradient of an embedding by its table: indices (…) and elements (…, width) give (entries, width), zeros to which
     * the elements of all rows are added at their index.
     */
    public record EmbeddingWeight(int entries) implements Composed {
        @Override
        public Arity arity() {
            return Arity.TWO;
        }

        @Override
        public String settings() {
            return "of " + entries;
        }

        @Override
        public Result check(List<Value> inputs) {
            Value index = inputs.get(0);
            Value g = Operator.floating(inputs.get(1));
            int rank = g.shape().rank();
            Operator.require(
                    rank > 0
                            && index.type() == ElementType.INT64
                            && index.batched() == g.batched()
                            && Products.embedded(index, g.shape().get(-1)).equals(g.shape()),
                    "needs INT64 indices (…) and elements (…, width), got " + index + " and " + g);
            Arrangement.requireBounded(index, entries);
            return new Result(Shape.of(entries, g.shape().get(-1)), false, g.type());
        }

        @Override
        public int indexBound(int input, List<Value> inputs) {
            return input == 0 ? entries : 0;
        }

        @Override
        public boolean differentiable(int input) {
            return input == 1;
        }

        @Override
        public Value composed(List<Value> inputs) {
            Value g = inputs.get(1);
            return g.graph().numbered(new Products.DenseWeight(), g, oneHot(inputs.get(0), entries));
        }

        @Override
        public Map<Integer, Value> gradients(Value y, Value upstream, SortedSet<Integer> wanted) {
            return Map.of(
                    1, y.graph().numbered(new Products.Embedding(), y.inputs().get(0), upstream));
        }

        @Override
        public RowCost flops(List<Value> inputs, Result result) {
            return RowCost.each(inputs.get(1).result(), 1);
        }

        @Override
        public RowCost multiplications(List<Value> inputs, Result result) {
            return RowCost.NONE;
        }
    }

    /** Returns indices (k) of an axis as those of all its places in a value. */
    public static Value along(Value index, int axis, Value x) {
        Operator.require(
                index.shape().rank() == 1 && axis >= 0 && axis < x.shape().rank(),
                "needs indices (k) and an axis of the values, got " + index + ", axis " + axis + " and " + x);
        int[] single = Shape.ones(x.shape().rank()).extents();
        single[axis] = index.shape().get(0);
        Shape all = x.shape().with(axis, single[axis]);
        return index.graph().numbered(new Arrangement.Spread(all, x.batched(), false), reshape(index, single));
    }

    /** Returns zeros of the extents of x to which a source, which may be smaller, is added at its indices. */
    public static Value scattered(Value x, int axis, Value index, Value source) {
        Arrangement.checkAxis(x, axis);
        Value sums = source.graph().numbered(new ScatterAdd(axis, x.shape().get(axis)), source, index);
        for (int i = 0; i < x.shape().rank(); i++) {
            int more = x.shape().get(i) - sums.shape().get(i);
            Operator.require(
                    more >= 0,
                    "a source must not be larger than the values except along axis " + axis + ", got " + source
                            + " for " + x);
            sums = more > 0 ? pad(sums, i, 0, more) : sums;
        }
        return sums;
    }

    /** The elements at indices that may have smaller extents than x off the axis: those of its beginning. */
    public static Value gathered(Value x, int axis, Value index) {
        Value from = x;
        for (int i = 0; i < Math.min(x.shape().rank(), index.shape().rank()); i++) {
            if (i != axis && index.shape().get(i) < x.shape().get(i)) {
                from = slice(from, i, 0, index.shape().get(i));
            }
        }
        return x.graph().numbered(new Gather(axis), from, index);
    }

    private static void requireIndices(Value x, Value index, int axis) {
        Operator.require(
                index.type() == ElementType.INT64
                        && index.batched() == x.batched()
                        && index.shape().rank() == x.shape().rank()
                        && index.shape().with(axis, 1).equals(x.shape().with(axis, 1)),
                "needs values and INT64 indices of equal extents except along axis " + axis + ", got " + x + " and "
                        + index);
    }

    private static int[] withOne(Shape shape) {
        int[] extents = Arrays.copyOf(shape.extents(), shape.rank() + 1);
        extents[shape.rank()] = 1;
        return extents;
    }

    /** Returns a value with an axis exchanged for the last. */
    private static Value last(Value x, int axis) {
        List<Integer> order =
                new ArrayList<>(IntStream.range(0, x.shape().rank()).boxed().toList());
        Collections.swap(order, axis, order.size() - 1);
        return axis == order.size() - 1
                ? x
                : transpose(x, order.stream().mapToInt(Integer::intValue).toArray());
    }
}
