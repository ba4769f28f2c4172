package hocket.schedulers.optimizers;

/**
 * An array that a link keeps beside each weight, of the weight's type and length.
 *
 * @param name unlike the link's others
 * @param initial what all elements are at first; NaN for a copy of the weight
 */
public record Slot(String name, double initial) {
    /** One that begins as zeros. */
    public static Slot of(String name) {
        return new Slot(name, 0);
    }

    /** One that begins as a copy of the weight, when it is first updated. */
    public static Slot ofWeight(String name) {
        return new Slot(name, Double.NaN);
    }

    public boolean isOfWeight() {
        return Double.isNaN(initial);
    }
}
