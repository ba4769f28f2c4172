package hocket.gan.data;

import java.nio.ByteBuffer;

/** The element types of an IDX file, with the codes of its third byte. Multi-byte elements are big-endian. */
enum IdxType {
    UBYTE(0x08, 1),
    BYTE(0x09, 1),
    SHORT(0x0B, 2),
    INT(0x0C, 4),
    FLOAT(0x0D, 4),
    DOUBLE(0x0E, 8);

    private final int code;
    private final int bytes;

    IdxType(int code, int bytes) {
        this.code = code;
        this.bytes = bytes;
    }

    /** The number of bytes of an element. */
    int bytes() {
        return bytes;
    }

    /** Returns whether elements are whole numbers. */
    boolean isWhole() {
        return this != FLOAT && this != DOUBLE;
    }

    /** Reads the element at a byte offset of a big-endian buffer; a double holds every type exactly. */
    double read(ByteBuffer buffer, int offset) {
        return switch (this) {
            case UBYTE -> buffer.get(offset) & 0xff;
            case BYTE -> buffer.get(offset);
            case SHORT -> buffer.getShort(offset);
            case INT -> buffer.getInt(offset);
            case FLOAT -> buffer.getFloat(offset);
            case DOUBLE -> buffer.getDouble(offset);
        };
    }

    /** Returns the type of a code; refuses the named file if there is none. */
    static IdxType ofCode(String name, int code) {
        for (IdxType type : values()) {
            if (type.code == code) {
                return type;
            }
        }
        throw new DataException(
                name,
                String.format(
                        "the third byte of an IDX file says the type of its elements: 0x08 (ubyte), 0x09 (byte), "
                                + "0x0b (short), 0x0c (int), 0x0d (float) or 0x0e (double); here it is 0x%02x",
                        code));
    }
}
