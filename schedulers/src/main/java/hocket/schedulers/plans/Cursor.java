package hocket.schedulers.plans;

import hocket.schedulers.state.State;
import hocket.schedulers.state.StateCodec;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The position of a walk in its plan, a value that is saved, restored and printed. Made by a {@link Walk}. */
public final class Cursor {
    /** The parts that are open, from the root down, by their numbers: the last of them is asked next. */
    final int[] open;

    /** The memory of each part, by its number; turns have none. */
    final Record[] states;

    /** Whether the round has begun. */
    final boolean begun;

    Cursor(int[] open, Record[] states, boolean begun) {
        this.open = open;
        this.states = states;
        this.begun = begun;
    }

    State save() {
        State parts = State.empty();
        for (int i = 0; i < states.length; i++) {
            if (states[i] != null) {
                parts = parts.with(Integer.toString(i), StateCodec.save(states[i]));
            }
        }
        String path = IntStream.of(open).mapToObj(Integer::toString).collect(Collectors.joining("/"));
        return State.empty().with("open", path).with("begun", begun ? 1 : 0).with("parts", parts);
    }

    /**
     * Reads a saved cursor.
     *
     * @param like one of the same plan
     * @throws IllegalArgumentException if it does not fit
     */
    static Cursor restore(Cursor like, State state) {
        Record[] states = like.states.clone();
        State parts = state.state("parts");
        for (int i = 0; i < states.length; i++) {
            if (states[i] != null) {
                states[i] = StateCodec.restore(states[i], parts.state(Integer.toString(i)));
            }
        }
        String path = state.text("open");
        int[] open;
        try {
            open = path.isEmpty()
                    ? new int[0]
                    : Arrays.stream(path.split("/")).mapToInt(Integer::parseInt).toArray();
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("the saved place in the plan is " + path + ", which is none", e);
        }
        if (Arrays.stream(open).anyMatch(part -> part < 0 || part >= states.length)) {
            throw new IllegalArgumentException(
                    "the saved place in the plan is " + path + ", and the plan has " + states.length + " parts");
        }
        return new Cursor(open, states, state.whole("begun") != 0);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Cursor cursor
                && begun == cursor.begun
                && Arrays.equals(open, cursor.open)
                && Arrays.equals(states, cursor.states);
    }

    @Override
    public int hashCode() {
        return Objects.hash(Arrays.hashCode(open), Arrays.hashCode(states), begun);
    }
}
