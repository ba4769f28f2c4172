package hocket.scopes;

/**
 * What a parameter is before it has values.
 *
 * @param path its name
 * @param shape its extents
 * @param type FLOAT32 or FLOAT64
 * @param initialiser how its first values are made
 * @param fan how many inputs and outputs an element connects, for initialisers that scale by it
 * @param kind whether optimizers move it, or a layer as it runs
 */
public record Declaration(Path path, Shape shape, ElementType type, Initialiser initialiser, Fan fan, Kind kind) {
    /** What moves a parameter. */
    public enum Kind {
        /** Moved by optimizers along gradients. */
        WEIGHT,
        /** Moved by the layer that owns it, as a running mean of a batch norm is. It has no gradient. */
        RUNNING_STATISTIC
    }

    /** How many input and output connections an element has. */
    public record Fan(int in, int out) {
        public static final Fan NONE = new Fan(1, 1);
    }

    /** @throws IllegalArgumentException if the type is not floating */
    public Declaration {
        if (!type.isFloating()) {
            throw new IllegalArgumentException(path + ": a parameter is FLOAT32 or FLOAT64, not " + type);
        }
    }

    /** The same parameter under another name. */
    public Declaration at(Path other) {
        return new Declaration(other, shape, type, initialiser, fan, kind);
    }
}
