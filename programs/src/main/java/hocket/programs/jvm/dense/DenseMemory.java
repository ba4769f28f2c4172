package hocket.programs.jvm.dense;

import hocket.programs.Value;
import hocket.programs.jvm.AxisLayout;
import hocket.programs.jvm.kernels.DenseKernels;
import hocket.scopes.Device;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The memory of a program's values: feature-major arrays (see {@link DenseKernels}), and whole numbers. */
public final class DenseMemory {
    /** The padding after every array of floats. */
    public static final int SLACK = 16;

    private static final float[] NONE = {};

    /** The number of rows of the batch. */
    final int rows;
    /** Elements from one feature of a batched value to the next. */
    final int stride;

    private final DenseArena.Requests requests;
    private final Map<Value, float[]> arrays = new HashMap<>();
    private final Map<Value, DenseParameter> parameters = new HashMap<>();
    private final Map<Value, DenseGatheringRules.TablePart> tableParts = new HashMap<>();
    private final Map<Value, long[]> integers = new HashMap<>();
    private final Map<Integer, Deque<float[]>> free = new HashMap<>();
    private final Map<float[], Integer> lengths = new IdentityHashMap<>();
    private final List<float[]> working = new ArrayList<>();

    DenseMemory(int rows, DenseArena arena) {
        this(rows, arena.requests());
    }

    private DenseMemory(int rows, DenseArena.Requests requests) {
        this.requests = requests;
        this.rows = rows;
        this.stride = rows == 1 ? 1 : Math.multiplyExact(Math.addExact(rows, 15) / 16, 16);
    }

    /** Returns the memory of a program within a step of this one's, for as many rows. */
    DenseMemory within() {
        return new DenseMemory(rows, requests);
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

    /** Sets a parameter's copy. */
    void hold(Value value, DenseParameter parameter) {
        parameters.put(value, parameter);
        hold(value, parameter.values);
    }

    /** Returns a parameter's copy; null of another value. */
    @Nullable
    DenseParameter parameter(Value value) {
        return parameters.get(value);
    }

    /** Sets where a part of a table's gradient is computed, which needs no array then. */
    void hold(Value value, DenseGatheringRules.TablePart part) {
        tableParts.put(value, part);
        hold(value, NONE);
    }

    /** Returns where a part of a table's gradient is computed; null of another value. */
    DenseGatheringRules.@Nullable TablePart tablePart(Value value) {
        return tableParts.get(value);
    }

    /** Sets the array of a value's whole numbers. */
    void hold(Value value, long[] array) {
        integers.put(value, array);
    }

    /** Sets the array of a value to another's. */
    void share(Value value, Value with) {
        if (value.type() == ElementType.INT64) {
            hold(value, integers(with));
        } else {
            hold(value, array(with));
        }
    }

    /** Allocates an array of zeros for a value that is computed once, when the program is bound. */
    void own(Value value) {
        if (value.type() == ElementType.INT64) {
            hold(value, new long[length(value)]);
        } else {
            hold(value, new float[Math.addExact(length(value), SLACK)]);
        }
    }

    /** Allocates an array of any content for a value, reusing a free one of its length. */
    void reuse(Value value) {
        if (value.type() == ElementType.INT64) {
            own(value);
        } else if (!tableParts.containsKey(value)) {
            hold(value, free(length(value)));
        }
    }

    /** Allocates an array of any content that nothing else in the program uses. */
    float[] floats(int length) {
        float[] array = requests.floats(Math.addExact(length, SLACK));
        lengths.put(array, length);
        return array;
    }

    /** Allocates an array of any content for a single step, reusing a free one of its length. */
    float[] working(int length) {
        float[] array = free(length);
        working.add(array);
        return array;
    }

    private float[] free(int length) {
        Deque<float[]> some = free.get(length);
        return some == null || some.isEmpty() ? floats(length) : some.pop();
    }

    /** Allocates an array for a value that is fed or handed out, of any content. */
    Device.Array handed(Value value) {
        Shape shape = value.batched() ? value.shape().prepend(rows) : value.shape();
        return requests.array(shape, value.type());
    }

    /** Ends the requests. */
    void end() {
        requests.end();
    }

    /** Gives back what was requested, after a failure. */
    void undo() {
        requests.undo();
    }

    /** Leaves the arrays that were for a single step to others. */
    void leaveWorking() {
        working.forEach(this::leave);
        working.clear();
    }

    /** Leaves the array of a value, if it is one of floats, to others. */
    void leave(Value value) {
        float[] array = arrays.get(value);
        if (array != null) {
            leave(array);
        }
    }

    private void leave(float[] array) {
        Integer length = lengths.get(array);
        if (length != null) { // not of a feed, a parameter or a constant
            free.computeIfAbsent(length, of -> new ArrayDeque<>()).push(array);
        }
    }

    /** Returns whether an executable of more rows has replaced any of the arrays. */
    boolean outgrown() {
        return requests.outgrown();
    }

    /** The array of a value, once it has one. */
    float[] array(Value value) {
        return held(value, arrays.get(value));
    }

    /** The array of a value, of floats or of whole numbers. */
    Object elements(Value value) {
        return value.type() == ElementType.INT64 ? integers(value) : array(value);
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
