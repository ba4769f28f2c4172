package hocket.programs;

import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import java.util.Arrays;
import java.util.List;

/** Operators that move elements and compute nothing. Axes do not count the batch axis. */
public final class Arrangement {
    private Arrangement() {}

    /** The same elements in another shape. */
    public record Reshape(Shape shape) implements Operator {
        @Override
        public String kind() {
            return "reshape";
        }

        @Override
        public Result infer(List<Value> inputs) {
            Value x = inputs.get(0);
            if (x.shape().size() != shape.size()) {
                throw new IllegalArgumentException("shape " + shape + " has " + shape.size() + " elements, input "
                        + x.shape() + " has " + x.shape().size());
            }
            return new Result(shape, x.batched(), x.type());
        }

        @Override
        public Amount flops(List<Value> inputs, Result result) {
            return Amount.NONE;
        }
    }

    /** The inputs one after the other along an axis. */
    public record Concat(int axis) implements Operator {
        @Override
        public String kind() {
            return "concat";
        }

        @Override
        public String settings() {
            return "axis " + axis;
        }

        @Override
        public Result infer(List<Value> inputs) {
            Value first = inputs.get(0);
            checkAxis(first, axis);
            int extent = 0;
            for (Value x : inputs) {
                if (x.batched() != first.batched()
                        || x.type() != first.type()
                        || x.shape().rank() != first.shape().rank()
                        || !x.shape().with(axis, 1).equals(first.shape().with(axis, 1))) {
                    throw new IllegalArgumentException(
                            "needs inputs alike but for axis " + axis + ", got " + first + " and " + x);
                }
                extent += x.shape().get(axis);
            }
            return new Result(first.shape().with(axis, extent), first.batched(), first.type());
        }

        @Override
        public Amount flops(List<Value> inputs, Result result) {
            return Amount.NONE;
        }
    }

    /** Elements {@code begin} (included) to {@code end} (excluded) of an axis. */
    public record Slice(int axis, int begin, int end) implements Operator {
        @Override
        public String kind() {
            return "slice";
        }

        @Override
        public String settings() {
            return "axis " + axis + " from " + begin + " to " + end;
        }

        @Override
        public Result infer(List<Value> inputs) {
            Value x = inputs.get(0);
            checkAxis(x, axis);
            if (begin < 0 || end <= begin || end > x.shape().get(axis)) {
                throw new IllegalArgumentException("cannot take " + begin + " to " + end + " of axis " + axis
                        + ", which has " + x.shape().get(axis) + " in " + x);
            }
            return new Result(x.shape().with(axis, end - begin), x.batched(), x.type());
        }

        @Override
        public Amount flops(List<Value> inputs, Result result) {
            return Amount.NONE;
        }
    }

    /** Of each row (…, n) the element at an index (…): INT64 indices, checked when they are fed. */
    public record Pick() implements Operator {
        @Override
        public String kind() {
            return "pick";
        }

        @Override
        public Result infer(List<Value> inputs) {
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
            requireFed(index);
            return new Result(index.shape(), x.batched(), x.type());
        }

        @Override
        public boolean differentiable(int input) {
            return input == 0;
        }

        @Override
        public Amount flops(List<Value> inputs, Result result) {
            return Amount.NONE;
        }
    }

    static void checkAxis(Value x, int axis) {
        if (axis < 0 || axis >= x.shape().rank()) {
            throw new IllegalArgumentException(
                    "there is no axis " + axis + " in " + x + " (the batch axis is not counted)");
        }
    }

    /** Indices are checked when they are fed, so they must be. */
    static void requireFed(Value index) {
        if (!(index.operator() instanceof Leaf.Input)) {
            throw new IllegalArgumentException("needs indices that are an input of the graph, got " + index);
        }
    }
}
