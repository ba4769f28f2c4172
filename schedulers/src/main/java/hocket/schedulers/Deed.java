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
        SCORE,
        /** Keeps the parameters if they score best so far; where episodes are judged, by 20 of them. */
        BEST
    }

    /**
     * Keeps the parameters if they score best so far.
     *
     * @param episodes by how many they are judged
     */
    record Best(int episodes) implements Deed {
        /** @throws IllegalArgumentException if there is not at least one */
        public Best {
            Limits.atLeast(1, "episodes", episodes);
        }
    }

    /** Something of the user's own. */
    record Own(Consumer<Run> action) implements Deed {}
}
