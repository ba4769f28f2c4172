package hocket.schedulers.optimizers.rates;

/** What a rate counts by. */
public enum RateUnit {
    /** Updates of its rule before this one. */
    UPDATE,
    /** Rounds completed. */
    ROUND,
    /** Epochs of the first source completed, in whole numbers. */
    EPOCH;

    /** How many are over. */
    public double of(TrainingProgress at) {
        return switch (this) {
            case UPDATE -> at.update() - 1.0;
            case ROUND -> at.round();
            case EPOCH -> Math.floor(at.epoch() + 1e-9); // epochs are sums of parts
        };
    }
}
