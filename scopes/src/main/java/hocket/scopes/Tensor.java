package hocket.scopes;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;

/**
 * An immutable array of numbers with a shape and a type, in the JVM's memory. Equal when shape, type and every bit are.
 *
 * <p>For example:
 *
 * <pre>{@code
 * Tensor points = Tensor.of(Shape.of(2, 2), 0f, 1f, 2f, 3f);
 * Tensor labels = Tensor.of(Shape.of(2), 0L, 1L);
 * Tensor precise = points.in(ElementType.FLOAT64);
 * }</pre>
 */
public final class Tensor {
    /** The number of values up to which all are printed. */
    private static final int PRINTED = 100;

    private final Shape shape;
    private final ElementType type;
    private final ByteBuffer values;

    private Tensor(Shape shape, ElementType type, ByteBuffer values) {
        this.shape = shape;
        this.type = type;
        this.values = values;
    }

    /**
     * A copy of values in native byte order, those between the buffer's position and limit, which stay as they are.
     *
     * @throws IllegalArgumentException if they are more or fewer bytes than the shape needs
     */
    public static Tensor copyOf(Shape shape, ElementType type, ByteBuffer values) {
        int bytes = shape.bytes(type);
        if (values.remaining() != bytes) {
            throw new IllegalArgumentException(
                    type + shape.toString() + " has " + bytes + " bytes, got " + values.remaining());
        }
        ByteBuffer copy = ByteBuffer.allocate(bytes).order(ByteOrder.nativeOrder());
        copy.put(values.duplicate());
        return new Tensor(shape, type, copy.flip());
    }

    /**
     * A FLOAT32 tensor of these values, row-major.
     *
     * @throws IllegalArgumentException if they are more or fewer than the shape needs
     */
    public static Tensor of(Shape shape, float... values) {
        ByteBuffer buffer = allocate(shape, ElementType.FLOAT32, values.length);
        buffer.asFloatBuffer().put(values);
        return new Tensor(shape, ElementType.FLOAT32, buffer);
    }

    /**
     * A FLOAT64 tensor of these values, row-major.
     *
     * @throws IllegalArgumentException if they are more or fewer than the shape needs
     */
    public static Tensor of(Shape shape, double... values) {
        ByteBuffer buffer = allocate(shape, ElementType.FLOAT64, values.length);
        buffer.asDoubleBuffer().put(values);
        return new Tensor(shape, ElementType.FLOAT64, buffer);
    }

    /**
     * An INT64 tensor of these values, row-major.
     *
     * @throws IllegalArgumentException if they are more or fewer than the shape needs
     */
    public static Tensor of(Shape shape, long... values) {
        ByteBuffer buffer = allocate(shape, ElementType.INT64, values.length);
        buffer.asLongBuffer().put(values);
        return new Tensor(shape, ElementType.INT64, buffer);
    }

    /**
     * A tensor of a floating type of these values, row-major, each rounded where the type is FLOAT32.
     *
     * @throws IllegalArgumentException if they are more or fewer than the shape needs
     */
    public static Tensor rounded(Shape shape, ElementType type, double... values) {
        ByteBuffer buffer = allocate(shape, type, values.length);
        for (int i = 0; i < values.length; i++) {
            type.put(buffer, i, values[i]);
        }
        return new Tensor(shape, type, buffer);
    }

    /** A tensor of a floating type whose elements are all one number, rounded where the type is FLOAT32. */
    public static Tensor filled(Shape shape, ElementType type, double value) {
        double[] values = new double[shape.size()];
        Arrays.fill(values, value);
        return rounded(shape, type, values);
    }

    /** Returns the values in a floating type, each rounded where it is FLOAT32; itself if it is of that type. */
    public Tensor in(ElementType other) {
        return other == type ? this : rounded(shape, other, doubles());
    }

    private static ByteBuffer allocate(Shape shape, ElementType type, int length) {
        if (length != shape.size()) {
            throw new IllegalArgumentException(
                    type + shape.toString() + " has " + shape.size() + " elements, got " + length);
        }
        return ByteBuffer.allocate(shape.bytes(type)).order(ByteOrder.nativeOrder());
    }

    /** The extents. */
    public Shape shape() {
        return shape;
    }

    /** The type of the elements. */
    public ElementType type() {
        return type;
    }

    /** The values in native byte order, read-only, position 0. */
    public ByteBuffer buffer() {
        return values.asReadOnlyBuffer().order(ByteOrder.nativeOrder());
    }

    /** The values as files hold them, read-only, position 0. */
    public ByteBuffer littleEndian() {
        ByteBuffer own = buffer();
        if (own.order() == ByteOrder.LITTLE_ENDIAN) {
            return own;
        }
        ByteBuffer turned = ByteBuffer.allocate(own.limit()).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < own.limit(); i += type.bytes()) {
            if (type == ElementType.FLOAT32) {
                turned.putInt(own.getInt(i));
            } else {
                turned.putLong(own.getLong(i));
            }
        }
        return turned.flip();
    }

    /**
     * Returns an element as a double; an INT64 beyond 2^53 is rounded.
     *
     * @param index its row-major position, from 0
     * @throws IndexOutOfBoundsException if there is no such element
     */
    public double get(int index) {
        Objects.checkIndex(index, shape.size());
        return type.get(values, index);
    }

    /**
     * The value of a tensor of one element.
     *
     * @throws IllegalStateException if it has more
     */
    public double scalar() {
        if (shape.size() != 1) {
            throw new IllegalStateException(signature() + " is not a single number, it has " + shape.size());
        }
        return get(0);
    }

    /** The values as doubles, a copy. */
    public double[] doubles() {
        double[] copy = new double[shape.size()];
        for (int i = 0; i < copy.length; i++) {
            copy[i] = get(i);
        }
        return copy;
    }

    /** The values as floats (others are rounded), a copy. */
    public float[] floats() {
        float[] copy = new float[shape.size()];
        if (type == ElementType.FLOAT32) {
            values.duplicate().order(ByteOrder.nativeOrder()).asFloatBuffer().get(copy);
            return copy;
        }
        for (int i = 0; i < copy.length; i++) {
            copy[i] = (float) get(i);
        }
        return copy;
    }

    /**
     * The values of an INT64 tensor, a copy.
     *
     * @throws IllegalStateException if it is of another type
     */
    public long[] longs() {
        if (type != ElementType.INT64) {
            throw new IllegalStateException(signature() + " holds no whole numbers: ask for floats() or doubles()");
        }
        long[] copy = new long[shape.size()];
        values.duplicate().order(ByteOrder.nativeOrder()).asLongBuffer().get(copy);
        return copy;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Tensor tensor
                && type == tensor.type
                && shape.equals(tensor.shape)
                && values.equals(tensor.values);
    }

    @Override
    public int hashCode() {
        return 31 * shape.hashCode() + values.hashCode();
    }

    /** Type and shape without the values, for messages: {@code FLOAT32(64,1,4,4)}. */
    public String signature() {
        return type + shape.toString();
    }

    /**
     * Type and shape, then the values as they nest, on one line: {@code FLOAT32(2,2) [[1.0, 2.0], [3.0, 4.0]]}. Of more than
     * 100 values, the ends: three of the last axis at either side, and the first and the last of the others.
     */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(signature()).append(' ');
        print(text, 0, 0);
        return text.toString();
    }

    /** Prints the part at one index of an axis, or the element after the last axis. */
    private void print(StringBuilder text, int axis, int index) {
        if (axis == shape.rank()) {
            text.append(element(index));
            return;
        }
        int extent = shape.get(axis);
        int ends = shape.size() <= PRINTED ? extent : axis == shape.rank() - 1 ? 3 : 1;
        text.append('[');
        for (int i = 0; i < extent; i++) {
            if (i == ends && extent > 2 * ends) {
                text.append(", …");
                i = extent - ends;
            }
            text.append(i == 0 ? "" : ", ");
            print(text, axis + 1, index * extent + i);
        }
        text.append(']');
    }

    private String element(int index) {
        return switch (type) {
            case FLOAT32 -> Float.toString(values.getFloat(index * Float.BYTES));
            case FLOAT64 -> Double.toString(values.getDouble(index * Double.BYTES));
            case INT64 -> Long.toString(values.getLong(index * Long.BYTES));
        };
    }
}
