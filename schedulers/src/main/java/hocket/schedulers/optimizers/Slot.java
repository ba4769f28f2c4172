package hocket.schedulers.optimizers;

/**
 * An array that a transformation keeps for each weight, of the weight's type and length.
 *
 * @param name unique in the transformation
 * @param initial initial value of all elements; NaN for a copy of the weight
 */
public record Slot(String name, double initial) {
    /** A slot that is initially zero. */
    public static Slot of(String name) {
        return new Slot(name, 0);
    }

    /** A slot that is a copy of the weight at its first update. */
    public static Slot ofWeight(String name) {
        return new Slot(name, Double.NaN);
    }

    public boolean isOfWeight() {
        return Double.isNaN(initial);
    }
}
