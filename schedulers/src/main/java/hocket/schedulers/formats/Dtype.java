package hocket.schedulers.formats;

import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The element types of files, and the type that each is read as: with the same value, to the bit for floats. */
public enum Dtype {
    BOOL(1, ElementType.INT64),
    U8(1, ElementType.INT64),
    I8(1, ElementType.INT64),
    I16(2, ElementType.INT64),
    U16(2, ElementType.INT64),
    F16(2, ElementType.FLOAT32),
    BF16(2, ElementType.FLOAT32),
    I32(4, ElementType.INT64),
    U32(4, ElementType.INT64),
    F32(4, ElementType.FLOAT32),
    F64(8, ElementType.FLOAT64),
    I64(8, ElementType.INT64),
    U64(8, ElementType.INT64);

    private final int bytes;
    private final ElementType type;

    Dtype(int bytes, ElementType type) {
        this.bytes = bytes;
        this.type = type;
    }

    /** Returns the bytes of one element. */
    public int bytes() {
        return bytes;
    }

    /** Returns the type that its tensors are read as. */
    public ElementType type() {
        return type;
    }

    static Dtype of(ElementType type) {
        return switch (type) {
            case FLOAT32 -> F32;
            case FLOAT64 -> F64;
            case INT64 -> I64;
        };
    }

    /**
     * The elements between the buffer's position and limit, in its byte order, row-major.
     *
     * @throws IllegalArgumentException if one is not a value of the type, or its value is beyond INT64
     */
    Tensor tensor(Shape shape, ByteBuffer elements) {
        if (this == of(type) && elements.order() == ByteOrder.nativeOrder()) {
            return Tensor.copyOf(shape, type, elements);
        }
        int start = elements.position();
        ByteBuffer values = ByteBuffer.allocate(shape.bytes(type)).order(ByteOrder.nativeOrder());
        for (int i = 0; i < shape.size(); i++) {
            int at = start + i * bytes;
            switch (type) {
                case FLOAT32 -> values.putInt(floatBits(elements, at));
                case FLOAT64 -> values.putLong(elements.getLong(at));
                case INT64 -> values.putLong(whole(elements, at, i));
            }
        }
        return Tensor.copyOf(shape, type, values.flip());
    }

    private int floatBits(ByteBuffer elements, int at) {
        return switch (this) {
            case F16 -> ofHalf(elements.getShort(at));
            case BF16 -> elements.getShort(at) << 16;
            default -> elements.getInt(at);
        };
    }

    /** The bits of the float32 of the same value as a float16 (IEEE 754 binary16); a NaN keeps its payload. */
    private static int ofHalf(short half) {
        int sign = (half & 0x8000) << 16;
        int exponent = half >> 10 & 0x1f;
        int fraction = half & 0x3ff;
        if (exponent == 0) { // fraction × 2^-24
            return sign | Float.floatToRawIntBits(fraction * 0x1p-24f);
        }
        return sign | (exponent == 0x1f ? 0xff : exponent + 127 - 15) << 23 | fraction << 13;
    }

    private long whole(ByteBuffer elements, int at, int index) {
        return switch (this) {
            case BOOL -> within(elements.get(at), 1, index);
            case U8 -> elements.get(at) & 0xff;
            case I8 -> elements.get(at);
            case I16 -> elements.getShort(at);
            case U16 -> elements.getShort(at) & 0xffff;
            case I32 -> elements.getInt(at);
            case U32 -> elements.getInt(at) & 0xffff_ffffL;
            case U64 -> within(elements.getLong(at), Long.MAX_VALUE, index);
            default -> elements.getLong(at);
        };
    }

    private long within(long value, long most, int index) {
        if (value < 0 || value > most) {
            throw new IllegalArgumentException("element " + index + " must be in 0.." + most + ", was "
                    + (this == U64 ? Long.toUnsignedString(value) : value & 0xff));
        }
        return value;
    }
}
