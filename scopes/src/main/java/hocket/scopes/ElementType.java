package hocket.scopes;

/** The type of one element of an array. Parameters are FLOAT32 or FLOAT64; INT64 is for labels and indices. */
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

    /** Returns whether values of this type can have a gradient. */
    public boolean isFloating() {
        return this != INT64;
    }
}
