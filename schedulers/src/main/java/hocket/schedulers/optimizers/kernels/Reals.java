package hocket.schedulers.optimizers.kernels;

import hocket.scopes.ElementType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.util.function.Supplier;

/**
 * An array of FLOAT32 or FLOAT64 in direct memory, in native order. It is a view: it copies nothing and owns nothing, so
 * the memory must outlive its use.
 */
public final class Reals {
    private static final int CACHE_LINE = 64;
    private static final ByteBuffer NOTHING = ByteBuffer.allocateDirect(0).order(ByteOrder.nativeOrder());

    private final ElementType type;
    private final int length;
    private Supplier<ByteBuffer> source;
    private ByteBuffer given;
    private ByteBuffer bytes;
    private Object memory;
    private FloatBuffer floats;
    private DoubleBuffer doubles;

    private Reals(ElementType type, Supplier<ByteBuffer> source) {
        if (!type.isFloating()) {
            throw new IllegalArgumentException("an array to be updated must be FLOAT32 or FLOAT64, was " + type);
        }
        this.type = type;
        this.source = source;
        this.given = source.get();
        if (!given.isDirect() || given.capacity() % type.bytes() != 0) {
            throw new IllegalArgumentException("an array of " + type + " must be a direct buffer of a multiple of "
                    + type.bytes() + " bytes, was " + given);
        }
        this.length = given.capacity() / type.bytes();
        this.bytes = given.duplicate().clear().order(ByteOrder.nativeOrder());
        this.memory = VectorMemory.of(bytes);
        this.floats = bytes.asFloatBuffer();
        this.doubles = bytes.asDoubleBuffer();
    }

    /**
     * A new array of zeros that begins at a cache line: no vector in it lies across two, which would cost a quarter of the
     * speed. Freed when nothing refers to it any more.
     *
     * @throws IllegalArgumentException if the type is not floating or the length negative
     */
    public static Reals zeros(ElementType type, int length) {
        long bytes = (long) length * type.bytes();
        if (length < 0 || bytes > Integer.MAX_VALUE - CACHE_LINE) {
            throw new IllegalArgumentException("an array cannot have " + length + " elements of " + type);
        }
        ByteBuffer memory = ByteBuffer.allocateDirect((int) bytes + CACHE_LINE);
        int start = memory.alignmentOffset(0, CACHE_LINE);
        return of(type, memory.slice(start == 0 ? 0 : CACHE_LINE - start, (int) bytes));
    }

    /**
     * All bytes of a direct buffer, whatever its position, limit and order.
     *
     * @throws IllegalArgumentException if the type is not floating, or the buffer not direct or not of whole elements
     */
    public static Reals of(ElementType type, ByteBuffer buffer) {
        return new Reals(type, () -> buffer);
    }

    /**
     * All bytes of a buffer that may be another one at the next update: it is requested whenever a plan starts, on the
     * thread that runs the plan. Nothing is allocated while it stays the same object.
     *
     * @throws IllegalArgumentException as {@link #of(ElementType, ByteBuffer)}
     */
    public static Reals of(ElementType type, Supplier<ByteBuffer> buffer) {
        return new Reals(type, buffer);
    }

    public ElementType type() {
        return type;
    }

    /** Number of elements. */
    public int length() {
        return length;
    }

    /** Requests the array from its source again. */
    @SuppressWarnings("ReferenceEquality")
    public // another object is another place; equal buffers have equal contents
    void refresh() {
        ByteBuffer now = source.get();
        if (now != given) {
            Reals moved = new Reals(type, () -> now);
            requireAlike("array after a move", moved);
            given = now;
            bytes = moved.bytes;
            memory = moved.memory;
            floats = moved.floats;
            doubles = moved.doubles;
        }
    }

    /** Releases the memory; it cannot be read or written here any more. */
    public void release() {
        source = Reals::released;
        given = NOTHING;
        bytes = NOTHING;
        memory = VectorMemory.of(NOTHING);
        floats = NOTHING.asFloatBuffer();
        doubles = NOTHING.asDoubleBuffer();
    }

    private static ByteBuffer released() {
        throw new IllegalStateException("an array that is updated was released: what updates it is closed");
    }

    /** Sets all elements to one value. */
    public void fill(double value) {
        for (int i = 0; i < length; i++) {
            if (type == ElementType.FLOAT32) {
                floats.put(i, (float) value);
            } else {
                doubles.put(i, value);
            }
        }
    }

    public void requireAlike(String name, Reals other) {
        if (other.type != type || other.length != length) {
            throw new IllegalArgumentException(name + ": must be like the weight, " + this + ", was " + other);
        }
    }

    void requireRange(int from, int to) {
        if (from < 0 || to < from || to > length) {
            throw new IndexOutOfBoundsException("range " + from + ".." + to + " of " + this);
        }
    }

    /** Returns the bytes of the array, which are stale after the array moves. */
    public ByteBuffer bytes() {
        return bytes;
    }

    /** Returns the memory of the array, as {@link VectorMemory} takes it. */
    Object memory() {
        return memory;
    }

    /** The elements of a FLOAT32 array. */
    public FloatBuffer floats() {
        return floats;
    }

    /** The elements of a FLOAT64 array. */
    public DoubleBuffer doubles() {
        return doubles;
    }

    @Override
    public String toString() {
        return type + "[" + length + "]";
    }
}
