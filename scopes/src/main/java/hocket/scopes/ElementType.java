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

    /** Bytes of one element. */
    public int bytes() {
        return bytes;
    }

    /** Whether values of this type can carry a gradient. */
    public boolean isFloating() {
        return this != INT64;
    }
}
