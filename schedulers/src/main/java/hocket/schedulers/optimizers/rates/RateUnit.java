package hocket.schedulers.optimizers.rates;

/** The unit by which a rate counts. */
public enum RateUnit {
    /** Updates of its optimizer before this one. */
    UPDATE,
    /** Rounds completed. */
    ROUND,
    /** Epochs of the first source completed, in whole numbers. */
    EPOCH;

    /** Returns the number of completed units. */
    public double of(TrainingProgress at) {
        return switch (this) {
            case UPDATE -> at.update() - 1.0;
            case ROUND -> at.round();
            case EPOCH -> Math.floor(at.epoch() + 1e-9); // epochs are sums of parts
        };
    }
}
