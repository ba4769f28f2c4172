package hocket.schedulers;

/**
 * The rule for when a source gives its next batch.
 *
 * <p>For example:
 *
 * <pre>{@code
 * scheduler.feed(images, Resample.EACH_ROUND); // d and g see the same rows
 * }</pre>
 */
public enum Resample {
    /** Every turn that reads it gets a new batch. */
    EACH_TURN,
    /** All turns of a round read the same batch. */
    EACH_ROUND
}
