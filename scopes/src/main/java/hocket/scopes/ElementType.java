package hocket.scopes;

import java.nio.ByteBuffer;

/**
 * The type of one element of an array. Parameters are FLOAT32 or FLOAT64; INT64 is for labels and indices.
 *
 * <p>For example:
 *
 * <pre>{@code
 * int bytes = ElementType.FLOAT64.bytes(); // 8
 * boolean isParameter = ElementType.INT64.isFloating(); // false
 * }</pre>
 */
public enum ElementType {
    FLOAT32(4),
    FLOAT64(8),
    INT64(8);

    private final int bytes;

    ElementType(int bytes) {
        this.bytes = bytes;
    }

    /** Returns the bytes of one element. */
    public int bytes() {
        return bytes;
    }

    /** Returns the largest finite element; for INT64 rounded to a double. */
    public double largest() {
        return switch (this) {
            case FLOAT32 -> Float.MAX_VALUE;
            case FLOAT64 -> Double.MAX_VALUE;
            case INT64 -> Long.MAX_VALUE;
        };
    }

    /** Returns whether values of this type can have a gradient. */
    public boolean isFloating() {
        return this != INT64;
    }

    /** Returns an element of a buffer as a double, by its position; an INT64 beyond 2^53 is rounded. */
    public double get(ByteBuffer numbers, int index) {
        return switch (this) {
            case FLOAT32 -> numbers.getFloat(index * Float.BYTES);
            case FLOAT64 -> numbers.getDouble(index * Double.BYTES);
            case INT64 -> numbers.getLong(index * Long.BYTES);
        };
    }

    /** Writes an element of a buffer, rounded to this type. */
    public void put(ByteBuffer numbers, int index, double value) {
        switch (this) {
            case FLOAT32 -> numbers.putFloat(index * Float.BYTES, (float) value);
            case FLOAT64 -> numbers.putDouble(index * Double.BYTES, value);
            case INT64 -> numbers.putLong(index * Long.BYTES, (long) value);
        }
    }
}
