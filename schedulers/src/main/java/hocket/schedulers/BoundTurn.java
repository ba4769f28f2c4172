package hocket.schedulers;

import java.util.List;

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
    long count() {
        return count;
    }

    void counted() {
        count++;
    }

    /** Takes the turn; the count is already that of this turn. */
    abstract Event take(Scheduler scheduler, List<Feeding> feeds, Event.Position at);

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
