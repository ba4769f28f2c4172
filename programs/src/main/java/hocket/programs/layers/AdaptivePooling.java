package hocket.programs.layers;

import static hocket.programs.Operators.averagePool;
import static hocket.programs.Operators.concat;
import static hocket.programs.Operators.maxPool;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.slice;

import hocket.programs.Value;
import hocket.programs.operators.Reduction;
import hocket.scopes.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Pools with a given number of windows: window i of n places and o outputs is {@code floor(i·n/o)} to {@code
 * ceil((i+1)·n/o)}. Windows overlap where o does not divide n.
 */
public final class AdaptivePooling {
    private AdaptivePooling() {}

    /** The mean of each window. */
    public static Value average(Value x, int... extents) {
        return pooled("adaptive average pool", x, extents, AdaptivePooling::average);
    }

    /** The maximum of each window. */
    public static Value max(Value x, int... extents) {
        return pooled("adaptive max pool", x, extents, AdaptivePooling::max);
    }

    private interface OfImage {
        Value of(Value image, int height, int width);
    }

    /** Checks the extents; a line (channels, length) is an image of one row. */
    private static Value pooled(String name, Value x, int[] extents, OfImage pool) {
        int rank = x.shape().rank();
        if ((rank != 2 && rank != 3)
                || extents.length != rank - 1
                || Arrays.stream(extents).anyMatch(n -> n < 1)) {
            throw new IllegalArgumentException(name
                    + ": needs (channels, height, width) and two extents of at least 1, or (channels, length) and one,"
                    + " got " + x + " and " + Arrays.toString(extents));
        }
        if (rank == 3) {
            return pool.of(x, extents[0], extents[1]);
        }
        Value row = pool.of(Reduction.kept(x, 1), 1, extents[0]);
        return reshape(row, x.shape().get(0), extents[0]);
    }

    private static Value average(Value x, int height, int width) {
        Shape shape = x.shape();
        if (shape.get(1) % height == 0 && shape.get(2) % width == 0) {
            return averagePool(x, even(shape, height, width), true);
        }
        Value rows = windows(x, 1, height, part -> Reduction.kept(mean(part, 1), 1));
        return windows(rows, 2, width, part -> Reduction.kept(mean(part, 2), 2));
    }

    private static Value max(Value x, int height, int width) {
        Shape shape = x.shape();
        if (shape.get(1) % height == 0 && shape.get(2) % width == 0) {
            return maxPool(x, even(shape, height, width));
        }
        return windows(x, 1, height, rows -> windows(rows, 2, width, AdaptivePooling::largest));
    }

    private static Value largest(Value x) {
        return maxPool(x, Window.of(x.shape().get(1), x.shape().get(2)));
    }

    /** The window of outputs that divide an image evenly. */
    private static Window even(Shape image, int height, int width) {
        int vertical = image.get(1) / height;
        int horizontal = image.get(2) / width;
        return Window.of(vertical, horizontal).stride(vertical, horizontal);
    }

    private static Value windows(Value x, int axis, int outputs, UnaryOperator<Value> pool) {
        int extent = x.shape().get(axis);
        List<Value> parts = new ArrayList<>();
        for (long i = 0; i < outputs; i++) {
            int begin = Math.toIntExact(i * extent / outputs);
            int end = Math.toIntExact(((i + 1) * extent + outputs - 1) / outputs);
            parts.add(pool.apply(end - begin == extent ? x : slice(x, axis, begin, end)));
        }
        return parts.size() == 1 ? parts.get(0) : concat(axis, parts.toArray(new Value[0]));
    }
}
