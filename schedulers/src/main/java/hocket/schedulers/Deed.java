package hocket.schedulers;

import java.util.function.Consumer;

/** What is done beside training when a {@link Trigger} fires. */
public sealed interface Deed {
    /** What every run can do. */
    enum Usual implements Deed {
        /** Writes a checkpoint. */
        SAVE,
        /** Draws samples for the eye. */
        SAMPLES,
        /** Computes the validation's metric. */
        VALIDATE,
        /** Judges the parameters as they are. */
        SCORE
    }

    /** Something of the user's own. */
    record Own(Consumer<Run> action) implements Deed {}
}
