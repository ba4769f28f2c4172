package hocket.scopes;

/**
 * The declaration of a parameter, before it has values.
 *
 * <p>For example:
 *
 * <pre>{@code
 * Declaration bias = Declaration.zeros(Path.of("generator/project/bias"), Shape.of(512), ElementType.FLOAT32);
 * Declaration copied = bias.at(Path.of("ema/generator/project/bias"));
 * }</pre>
 *
 * @param path its name
 * @param shape its extents
 * @param type FLOAT32 or FLOAT64
 * @param initialiser how its first values are made
 * @param fan how many inputs and outputs an element connects, for initialisers that scale by it
 * @param kind whether an optimizer updates it, a layer as it runs, or a schedule or person
 */
public record Declaration(Path path, Shape shape, ElementType type, Initialiser initialiser, Fan fan, Kind kind) {
    /** The kind of update that a parameter has. */
    public enum Kind {
        /** Updated by optimizers, by its gradient. */
        WEIGHT("weight"),
        /** Updated by its layer, such as a batch norm's running mean. It has no gradient. */
        RUNNING_STATISTIC("statistic"),
        /** A number that programs read and that schedules and people set between turns. It has no gradient. */
        SETTING("setting");

        private final String word;

        Kind(String word) {
            this.word = word;
        }

        /** Returns the word for it in tables. */
        public String word() {
            return word;
        }
    }

    /**
     * The fans: the numbers of connections that an element is part of.
     *
     * @param in inputs that are summed into one output
     * @param out outputs that one input goes to
     */
    public record Fan(int in, int out) {
        /** The fans of a parameter that connects nothing, such as a bias or a statistic. */
        public static final Fan NONE = new Fan(1, 1);

        /** @throws IllegalArgumentException if either is below 1 */
        public Fan {
            if (in < 1 || out < 1) {
                throw new IllegalArgumentException("a fan is at least 1 in and 1 out, got " + in + " and " + out);
            }
        }
    }

    /** @throws IllegalArgumentException if the type is not floating, or the array would be too large */
    public Declaration {
        if (!type.isFloating()) {
            throw new IllegalArgumentException(path + ": a parameter is FLOAT32 or FLOAT64, not " + type);
        }
        try {
            shape.bytes(type);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(path + ": " + e.getMessage(), e);
        }
    }

    /** A weight that is initialised to zero and connects nothing, such as a bias. */
    public static Declaration zeros(Path path, Shape shape, ElementType type) {
        return new Declaration(path, shape, type, Initialiser.zeros(), Fan.NONE, Kind.WEIGHT);
    }

    /** Returns this declaration under another name. */
    public Declaration at(Path other) {
        return new Declaration(other, shape, type, initialiser, fan, kind);
    }

    /** Returns this declaration with elements of another type. */
    public Declaration in(ElementType other) {
        return new Declaration(path, shape, other, initialiser, fan, kind);
    }
}
