package hocket.schedulers.state;

/**
 * Something whose state outlives the process: what is restored goes on as what was saved would have, to the bit.
 */
public interface Stateful {
    /** Everything that the future depends on, as a value. */
    State save();

    /**
     * Goes back to a saved state.
     *
     * @throws IllegalArgumentException if the state is not one of this kind; then nothing has changed
     */
    void restore(State state);
}
