package hocket.schedulers.turns;

import hocket.schedulers.Event;
import hocket.schedulers.Turn;
import hocket.schedulers.state.State;
import hocket.schedulers.state.Stateful;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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

    /** An array that a turn keeps outside of the store. */
    public record Array(String name, ElementType type, ByteBuffer buffer) {}

    /** Returns the arrays that it keeps outside of the store, such as optimizer slots. */
    List<Array> arrays() {
        return List.of();
    }

    /** Returns the counts of its optimizers, such as updates. */
    long[] counters() {
        return new long[0];
    }

    /** Sets the counts of its optimizers. */
    void counters(long[] counts) {}

    /** Its own state that is saved while a part of the plan looks ahead: its count and its arrays. */
    static final class Remembered {
        private final List<Array> room = new ArrayList<>();
        private long count;
        private long[] counters = new long[0];

        private Remembered(List<Array> arrays) {
            for (Array array : arrays) {
                ByteBuffer copy =
                        ByteBuffer.allocateDirect(array.buffer().capacity()).order(ByteOrder.nativeOrder());
                room.add(new Array(array.name(), array.type(), copy));
            }
        }

        State save() {
            State state = State.empty().with("count", count);
            State counts = State.empty();
            for (int i = 0; i < counters.length; i++) {
                counts = counts.with(Integer.toString(i), counters[i]);
            }
            state = state.with("counters", counts);
            for (Array array : room) {
                Shape shape = Shape.of(array.buffer().capacity() / array.type().bytes());
                state = state.with(
                        array.name(),
                        Tensor.copyOf(shape, array.type(), array.buffer().clear()));
            }
            return state;
        }

        void restore(State state) {
            for (Array array : room) {
                Tensor tensor = state.tensor(array.name());
                if (tensor.type() != array.type()
                        || tensor.buffer().remaining() != array.buffer().capacity()) {
                    throw new IllegalArgumentException("the saved state of " + array.name() + " was saved as "
                            + tensor.signature() + ", which does not fit here");
                }
                array.buffer().clear().put(tensor.buffer()).clear();
            }
            count = state.whole("count");
            State counts = state.state("counters");
            counters = new long[counts.items().size()];
            for (int i = 0; i < counters.length; i++) {
                counters[i] = counts.whole(Integer.toString(i));
            }
        }
    }

    private static void copy(ByteBuffer to, ByteBuffer from) {
        to.put(0, from, 0, to.capacity());
    }

    final Remembered room() {
        return new Remembered(arrays());
    }

    final void remember(Remembered to) {
        to.count = count;
        to.counters = counters();
        List<Array> arrays = arrays();
        for (int i = 0; i < arrays.size(); i++) {
            copy(to.room.get(i).buffer(), arrays.get(i).buffer());
        }
    }

    /** Restores that state; slots and the optimizers' counts may keep their values. */
    final void back(Remembered to, boolean keepSlots) {
        count = to.count;
        if (keepSlots) {
            return;
        }
        counters(to.counters);
        List<Array> arrays = arrays();
        for (int i = 0; i < arrays.size(); i++) {
            copy(arrays.get(i).buffer(), to.room.get(i).buffer());
        }
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
}
