package hocket.schedulers;

import java.util.List;
import java.util.Map;

/**
 * The next step of a {@link Node}.
 *
 * <p>For example:
 *
 * <pre>{@code
 * record Twice(Plan part) implements Node<Twice.Taken> {
 *     record Taken(int count) {}
 *
 *     @Override
 *     public List<Plan> parts() {
 *         return List.of(part);
 *     }
 *
 *     @Override
 *     public Plan with(List<Plan> parts) {
 *         return new Twice(parts.get(0));
 *     }
 *
 *     @Override
 *     public Taken start() {
 *         return new Taken(0);
 *     }
 *
 *     @Override
 *     public Move<Taken> next(Taken state, ScheduleView view) {
 *         return state.count() < 2 ? Move.take(0, new Taken(state.count() + 1)) : Move.end(start());
 *     }
 * }
 * Plan plan = sequence(new Twice(d), g);
 * }</pre>
 *
 * @param <S> type of the node's memory
 */
public sealed interface Move<S extends Record> {
    /** Returns the node's new memory. */
    S then();

    /** Performs this move: returns the result of the method for this kind. */
    <R> R by(Reader<R> reader);

    /** An interpreter of moves, with one method for each kind. */
    interface Reader<R> {
        R take(Take<?> move);

        R together(Together<?> move);

        R remember(Remember<?> move);

        R goBack(Return<?> move);

        R end(End<?> move);
    }

    /**
     * Takes a part, then asks the node again unless the part is its last.
     *
     * @param part its position
     * @param last whether the node ends with it
     * @param settings settings to change before: values by name, such as {@code d/rate}
     */
    record Take<S extends Record>(int part, S then, boolean last, Map<String, Double> settings) implements Move<S> {
        @Override
        public <R> R by(Reader<R> reader) {
            return reader.take(this);
        }
    }

    /**
     * Takes several descending turns together: all gradients are computed before the first turn writes.
     *
     * @param parts their positions
     * @param back whether the state that {@link Remember} saved is restored between the two, so that gradients from
     *     here update the weights from there
     */
    record Together<S extends Record>(List<Integer> parts, S then, boolean back) implements Move<S> {
        @Override
        public <R> R by(Reader<R> reader) {
            return reader.together(this);
        }
    }

    /**
     * Saves the weights, running statistics, optimizer slots and counts that the node's turns write.
     *
     * @param sameSample whether a turn reads the same rows and noise again each time until {@link Return}
     */
    record Remember<S extends Record>(S then, boolean sameSample) implements Move<S> {
        @Override
        public <R> R by(Reader<R> reader) {
            return reader.remember(this);
        }
    }

    /**
     * Restores the saved state, fully or partly, and discards the copy.
     *
     * @param share of the change since then that is kept: 0 restores everything, 1 keeps everything; in between,
     *     weights are interpolated linearly, and all else is kept
     */
    record Return<S extends Record>(double share, S then) implements Move<S> {
        @Override
        public <R> R by(Reader<R> reader) {
            return reader.goBack(this);
        }
    }

    /** Ends the node until it comes up again. */
    record End<S extends Record>(S then) implements Move<S> {
        @Override
        public <R> R by(Reader<R> reader) {
            return reader.end(this);
        }
    }

    /** Takes a part, then asks again. */
    static <S extends Record> Move<S> take(int part, S then) {
        return new Take<>(part, then, false, Map.of());
    }

    /** Takes a part and ends. */
    static <S extends Record> Move<S> last(int part, S then) {
        return new Take<>(part, then, true, Map.of());
    }

    /** Ends. */
    static <S extends Record> Move<S> end(S then) {
        return new End<>(then);
    }
}
