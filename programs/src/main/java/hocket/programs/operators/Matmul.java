package hocket.programs.operators;

import hocket.programs.Operators;
import hocket.programs.Value;
import hocket.programs.execution.RowCost;
import hocket.scopes.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Products of the matrices in two values, pair by pair: (…, m, k) and (…, k, n) give (…, m, n). In a batch each row has
 * its own pairs.
 *
 * @param transposedLeft whether the left matrices are (k, m)
 * @param transposedRight whether the right matrices are (n, k)
 */
public record Matmul(boolean transposedLeft, boolean transposedRight) implements Primitive {
    /** Returns the products of some matrices, with leading axes and the batch broadcast. */
    public static Value of(Value a, Value b, boolean transposedRight) {
        List<Value> both = broadcast(a, b);
        return a.graph().numbered(new Matmul(false, transposedRight), both.get(0), both.get(1));
    }

    /**
     * Returns matrices with leading axes and the batch broadcast to those of all.
     *
     * @throws IllegalArgumentException if one has fewer than two axes
     */
    public static List<Value> broadcast(Value... matrices) {
        int axes = 0;
        boolean batched = false;
        for (Value x : matrices) {
            Operator.require(x.shape().rank() >= 2, "needs matrices, of two axes or more, got " + List.of(matrices));
            axes = Math.max(axes, x.shape().rank());
            batched |= x.batched();
        }
        int[] leading = new int[axes - 2];
        for (int axis = 0; axis < leading.length; axis++) {
            for (Value x : matrices) {
                leading[axis] = Math.max(leading[axis], extent(x, axis - axes));
            }
        }
        List<Value> all = new ArrayList<>();
        for (Value x : matrices) {
            all.add(broadcast(x, leading, batched));
        }
        return all;
    }

    private static int extent(Value x, int fromEnd) {
        return -fromEnd > x.shape().rank() ? 1 : x.shape().get(fromEnd);
    }

    private static Value broadcast(Value x, int[] leading, boolean batched) {
        int rank = leading.length + 2;
        int[] own = new int[rank];
        int[] all = Arrays.copyOf(leading, rank);
        for (int axis = 0; axis < rank; axis++) {
            own[axis] = extent(x, axis - rank);
            all[axis] = axis < leading.length ? all[axis] : own[axis];
        }
        Value shaped = x.shape().rank() == rank ? x : Operators.reshape(x, own);
        return x.batched() == batched && Arrays.equals(own, all)
                ? shaped
                : x.graph().numbered(new Arrangement.Spread(Shape.of(all), batched, false), shaped);
    }

    @Override
    public Arity arity() {
        return Arity.TWO;
    }

    @Override
    public <R> @Nullable R rule(Rules<R> rules) {
        return rules.matmul(this);
    }

    @Override
    public String settings() {
        return transposedLeft
                ? transposedRight ? "both transposed" : "left transposed"
                : transposedRight ? "right transposed" : "";
    }

    /** Returns the number of terms in each sum, k. */
    public int depth(Value left) {
        return left.shape().get(transposedLeft ? -2 : -1);
    }

    @Override
    public Result check(List<Value> inputs) {
        Value a = Operator.floating(inputs.get(0));
        Value b = Operator.floating(inputs.get(1));
        int rank = a.shape().rank();
        boolean fits = rank >= 2 && b.shape().rank() == rank && a.batched() == b.batched() && a.type() == b.type();
        for (int axis = 0; fits && axis < rank - 2; axis++) {
            fits = a.shape().get(axis) == b.shape().get(axis);
        }
        Operator.require(
                fits && depth(a) == b.shape().get(transposedRight ? -1 : -2),
                "needs matrices (…, m, k) and (…, k, n)"
                        + (settings().isEmpty() ? "" : " with " + settings())
                        + ", got " + a + " and " + b);
        Shape shape = a.shape()
                .with(-2, a.shape().get(transposedLeft ? -1 : -2))
                .with(-1, b.shape().get(transposedRight ? -2 : -1));
        return new Result(shape, a.batched(), a.type());
    }

    @Override
    public Value gradient(int input, Value y, Value upstream) {
        Value a = y.inputs().get(0);
        Value b = y.inputs().get(1);
        if (input == 0) {
            return transposedLeft
                    ? y.graph().numbered(new Matmul(transposedRight, true), b, upstream)
                    : y.graph().numbered(new Matmul(false, !transposedRight), upstream, b);
        }
        return transposedRight
                ? y.graph().numbered(new Matmul(true, transposedLeft), upstream, a)
                : y.graph().numbered(new Matmul(!transposedLeft, false), a, upstream);
    }

    @Override
    public RowCost multiplications(List<Value> inputs, Result result) {
        return RowCost.each(result, depth(inputs.get(0)));
    }
}
