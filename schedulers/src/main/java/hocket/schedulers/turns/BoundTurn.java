package hocket.schedulers.turns;

import hocket.schedulers.Event;
import hocket.schedulers.Turn;
import hocket.schedulers.state.State;
import hocket.schedulers.state.Stateful;
import hocket.scopes.Device;
import hocket.scopes.Tensor;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A turn that is bound to the store. */
public abstract sealed class BoundTurn implements Stateful, AutoCloseable permits BoundDescend, BoundFollow, BoundAct {
    static final String AS_BEFORE = "; the parameters are as before this turn";

    private final Turn turn;
    private @Nullable BoundTurn countedWith;
    private long count;

    BoundTurn(Turn turn) {
        this.turn = turn;
    }

    public Turn turn() {
        return turn;
    }

    /** Takes the turn by the method of its kind. */
    public abstract Event take(Taking by);

    /** A visitor that takes turns, with one method for each kind. */
    public interface Taking {
        Event descend(BoundDescend turn);

        Event follow(BoundFollow turn);

        Event act(BoundAct turn);
    }

    /** Returns this turn if it descends a loss. */
    public Optional<BoundDescend> descending() {
        return Optional.empty();
    }

    /** Returns the turn that keeps the slots and counts of the optimizers that this turn steps: usually itself. */
    BoundTurn keeper() {
        return this;
    }

    /** Returns the prefix of a message on why it is not taken. */
    final String message(Event.Position at, String reason) {
        return "turn " + turn.name() + " in round " + at.round() + " (after " + at.step() + " turns): " + reason;
    }

    /** Returns how often it was taken. */
    public final long count() {
        return count;
    }

    public final void taken() {
        count++;
        if (countedWith != null) {
            countedWith.count++;
        }
    }

    /** Shares the count of another turn that it replaces. */
    final void countedWith(BoundTurn other) {
        countedWith = other;
    }

    /** Returns the arrays that it keeps outside of the store, such as optimizer slots. */
    SortedMap<String, Device.Array> arrays() {
        return Collections.emptySortedMap();
    }

    /** Returns the states that it carries to its next time. */
    State carried() {
        return State.empty();
    }

    /** Sets these states. */
    void carried(State states) {}

    /** Returns the counts of its optimizers, such as updates. */
    long[] counters() {
        return new long[0];
    }

    /** Sets the counts of its optimizers. */
    void counters(long[] counts) {}

    /** Its own state that is saved while a part of the plan looks ahead: its count and its arrays. */
    static final class Remembered {
        private final SortedMap<String, Device.Array> room = new TreeMap<>();
        private long count;
        private long[] counters = new long[0];
        private State carried = State.empty();

        private Remembered(SortedMap<String, Device.Array> arrays) {
            arrays.forEach((name, of) -> room.put(name, of.alike()));
        }

        State save() {
            State state = State.empty().with("count", count);
            State counts = State.empty();
            for (int i = 0; i < counters.length; i++) {
                counts = counts.with(Integer.toString(i), counters[i]);
            }
            state = state.with("counters", counts);
            state = carried.items().isEmpty() ? state : state.with("carried", carried);
            for (Map.Entry<String, Device.Array> kept : room.entrySet()) {
                state = state.with(kept.getKey(), kept.getValue().read());
            }
            return state;
        }

        void restore(State state) {
            room.forEach((name, into) -> {
                Tensor tensor = state.tensor(name);
                if (tensor.type() != into.type()
                        || tensor.shape().size() != into.shape().size()) {
                    throw new IllegalArgumentException("the saved state of " + name + " was saved as "
                            + tensor.signature() + ", which does not fit here");
                }
                into.write(tensor.buffer());
            });
            count = state.whole("count");
            carried = state.has("carried") ? state.state("carried") : State.empty();
            State counts = state.state("counters");
            counters = new long[counts.items().size()];
            for (int i = 0; i < counters.length; i++) {
                counters[i] = counts.whole(Integer.toString(i));
            }
        }

        Device.Array kept(String name) {
            return Objects.requireNonNull(room.get(name));
        }

        void close() {
            room.values().forEach(Device.Array::close);
        }
    }

    final Remembered room() {
        return new Remembered(arrays());
    }

    final void remember(Remembered to) {
        to.count = count;
        to.counters = counters();
        to.carried = carried();
        arrays().forEach((name, array) -> to.kept(name).write(array.buffer()));
    }

    /** Restores that state; slots and the optimizers' counts may keep their values. */
    final void back(Remembered to, boolean keepSlots) {
        count = to.count;
        carried(to.carried);
        if (keepSlots) {
            return;
        }
        counters(to.counters);
        arrays().forEach((name, array) -> array.write(to.kept(name).buffer()));
    }

    /** Resets to the initial state. */
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

    /** Closes code of its user, which is not bound any more. A turn that could not be bound leaves it open. */
    void closeAction() throws Exception {}
}
