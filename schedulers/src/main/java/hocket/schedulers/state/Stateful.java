package hocket.schedulers.state;

/** An object whose state outlives the process: a restored one continues like the saved one, to the bit. */
public interface Stateful {
    /** Returns all state that its future depends on, as a value. */
    State save();

    /**
     * Restores a saved state.
     *
     * @throws IllegalArgumentException if the state is of another kind; nothing has changed then
     */
    void restore(State state);
}
