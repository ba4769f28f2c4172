package hocket.programs.jvm.dense;

import hocket.programs.Value;
import hocket.programs.jvm.kernels.DenseKernels;
import hocket.scopes.ElementType;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The memory of a program's values: feature-major arrays (see {@link DenseKernels}), and whole numbers. */
public final class DenseMemory {
    /** The padding after every array of floats. */
    public static final int SLACK = 16;

    /** The number of rows of the batch. */
    final int rows;
    /** Elements from one feature of a batched value to the next. */
    final int stride;

    private final Map<Value, float[]> arrays = new HashMap<>();
    private final Map<Value, long[]> integers = new HashMap<>();
    private final Map<Integer, Deque<float[]>> free = new HashMap<>();

    DenseMemory(int rows) {
        this.rows = rows;
        this.stride = rows == 1 ? 1 : Math.multiplyExact(Math.addExact(rows, 15) / 16, 16);
    }

    /** Elements from one feature of a value to the next. */
    int stride(Value value) {
        return value.batched() ? stride : 1;
    }

    /** Returns the number of rows of a value. */
    int rows(Value value) {
        return value.batched() ? rows : 1;
    }

    /** Returns the number of elements of a value, with padding. */
    int length(Value value) {
        return Math.multiplyExact(value.shape().size(), stride(value));
    }

    /** A value as matrices one after the other, each of the last axis's features: how many. */
    static int matrices(Value value) {
        return value.shape().size() / value.shape().get(-1);
    }

    /** An axis of a value. */
    AxisLayout around(Value value, int axis) {
        return AxisLayout.of(value.shape(), axis, 1, stride(value));
    }

    /** Sets the array of a value. */
    void hold(Value value, float[] array) {
        arrays.put(value, array);
    }

    /** Sets the array of a value's whole numbers. */
    void hold(Value value, long[] array) {
        integers.put(value, array);
    }

    /** Allocates a new array of zeros for a value. */
    void own(Value value) {
        if (value.type() == ElementType.INT64) {
            hold(value, new long[length(value)]);
        } else {
            hold(value, new float[Math.addExact(length(value), SLACK)]);
        }
    }

    /** Allocates an array for a value, reusing a free one of its length. */
    void reuse(Value value) {
        Deque<float[]> some = free.get(length(value));
        if (value.type() == ElementType.INT64 || some == null || some.isEmpty()) {
            own(value);
        } else {
            hold(value, some.pop());
        }
    }

    /** Leaves the array of a value, if it is one of floats, to others. */
    void leave(Value value) {
        float[] array = arrays.get(value);
        if (array != null) {
            free.computeIfAbsent(array.length - SLACK, length -> new ArrayDeque<>())
                    .push(array);
        }
    }

    /** The array of a value, once it has one. */
    float[] array(Value value) {
        return held(value, arrays.get(value));
    }

    /** The whole numbers of an INT64 value. */
    long[] integers(Value value) {
        return held(value, integers.get(value));
    }

    private static <A> A held(Value value, @Nullable A array) {
        if (array == null) {
            throw new IllegalStateException(value + " is not computed");
        }
        return array;
    }
}
