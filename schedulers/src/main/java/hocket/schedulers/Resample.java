package hocket.schedulers;

/** The rule for when a source gives its next batch. */
public enum Resample {
    /** Every turn that reads it gets a new batch. */
    EACH_TURN,
    /** All turns of a round read the same batch. */
    EACH_ROUND
}
