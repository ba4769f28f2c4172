package hocket.scopes;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The extents of an array, outermost first, row-major. Every extent is at least 1 and the number of elements fits an
 * {@code int}; the empty shape is a scalar of one element. Immutable.
 *
 * <p>For example:
 *
 * <pre>{@code
 * Shape image = Shape.of(1, 28, 28);
 * Shape batch = image.prepend(64); // (64,1,28,28)
 * int numbers = batch.size(); // 50176
 * }</pre>
 */
public final class Shape {
    private static final Shape SCALAR = new Shape(new int[0], 1);
    /** More elements than a shape may have. */
    private static final long MANY = 1L << Integer.SIZE;

    private final int[] extents;
    private final int size;

    private Shape(int[] extents, int size) {
        this.extents = extents;
        this.size = size;
    }

    /**
     * A shape of the given extents.
     *
     * @throws IllegalArgumentException if an extent is below 1 or the elements are more than 2^31 - 1
     */
    public static Shape of(int... extents) {
        if (extents.length == 0) {
            return SCALAR;
        }
        long size = 1;
        for (int extent : extents) {
            if (extent < 1) {
                throw new IllegalArgumentException(
                        "a shape's extents must be at least 1, got " + Arrays.toString(extents));
            }
            size = Math.min(size * extent, MANY);
        }
        if (size > Integer.MAX_VALUE) {
            BigInteger elements =
                    IntStream.of(extents).mapToObj(BigInteger::valueOf).reduce(BigInteger.ONE, BigInteger::multiply);
            throw new IllegalArgumentException(
                    text(extents) + " has " + elements + " elements; a shape may have at most 2147483647");
        }
        return new Shape(extents.clone(), (int) size);
    }

    /** The shape of a single number: no extents, one element. */
    public static Shape scalar() {
        return SCALAR;
    }

    /**
     * The shape of a single number with that many axes: 3 gives {@code (1,1,1)}.
     *
     * @throws IllegalArgumentException if the rank is below 0
     */
    public static Shape ones(int rank) {
        if (rank < 0) {
            throw new IllegalArgumentException("a shape's rank must be at least 0, was " + rank);
        }
        int[] extents = new int[rank];
        Arrays.fill(extents, 1);
        return of(extents);
    }

    /** Returns the number of axes; 0 for a scalar. */
    public int rank() {
        return extents.length;
    }

    /**
     * The extent of an axis; a negative axis counts from the end.
     *
     * @throws IndexOutOfBoundsException if there is no such axis
     */
    public int get(int axis) {
        return extents[index(axis)];
    }

    private int index(int axis) {
        int index = axis < 0 ? extents.length + axis : axis;
        if (index < 0 || index >= extents.length) {
            throw new IndexOutOfBoundsException(
                    "shape " + this + " has " + extents.length + " axes, there is no axis " + axis);
        }
        return index;
    }

    /** Number of elements. */
    public int size() {
        return size;
    }

    /**
     * Returns the bytes of an array of this shape.
     *
     * @throws IllegalArgumentException if they are more than a {@link java.nio.ByteBuffer} holds, 2^31 - 1
     */
    public int bytes(ElementType type) {
        long bytes = (long) size * type.bytes();
        if (bytes > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    this + " of " + type + " has " + bytes + " bytes; an array may have at most 2147483647");
        }
        return (int) bytes;
    }

    /** A copy of the extents. */
    public int[] extents() {
        return extents.clone();
    }

    /**
     * Returns this shape with one more axis in front: {@code (64)} with 8 is {@code (8,64)}.
     *
     * @throws IllegalArgumentException as {@link #of} does
     */
    public Shape prepend(int extent) {
        int[] longer = new int[extents.length + 1];
        longer[0] = extent;
        System.arraycopy(extents, 0, longer, 1, extents.length);
        return of(longer);
    }

    /**
     * Returns this shape with one axis replaced; a negative axis counts from the end.
     *
     * @throws IndexOutOfBoundsException if there is no such axis
     * @throws IllegalArgumentException as {@link #of} does
     */
    public Shape with(int axis, int extent) {
        int[] other = extents.clone();
        other[index(axis)] = extent;
        return of(other);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Shape shape && Arrays.equals(extents, shape.extents);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(extents);
    }

    /** For example {@code (64,1,4,4)}; a scalar is {@code ()}. */
    @Override
    public String toString() {
        return text(extents);
    }

    private static String text(int... extents) {
        return IntStream.of(extents).mapToObj(Integer::toString).collect(Collectors.joining(",", "(", ")"));
    }
}
