package hocket.schedulers;

/** A turn on the store. */
abstract sealed class BoundTurn implements Stateful, AutoCloseable permits BoundDescend, BoundFollow, BoundAct {
    private final Turn turn;
    private long count;

    BoundTurn(Turn turn) {
        this.turn = turn;
    }

    Turn turn() {
        return turn;
    }

    /** How often it was taken. */
    final long count() {
        return count;
    }

    final void taken() {
        count++;
    }

    /** Goes back to the beginning. */
    void reset() {
        count = 0;
    }

    @Override
    public State save() {
        return State.empty().with("count", count);
    }

    @Override
    public void restore(State state) {
        count = state.whole("count");
    }

    @Override
    public void close() {}
}
