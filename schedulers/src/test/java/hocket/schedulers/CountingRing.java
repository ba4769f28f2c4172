package hocket.schedulers;

/** A ring that counts, and whose count is saved with the run. */
abstract class CountingRing implements Ring, Stateful {
    protected long count;

    @Override
    public State save() {
        return State.empty().with("count", count);
    }

    @Override
    public void restore(State state) {
        count = state.whole("count");
    }
}
