package hocket.schedulers;

import hocket.schedulers.state.State;
import hocket.schedulers.state.Stateful;

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
