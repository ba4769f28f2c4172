package hocket.schedulers;

import java.util.List;
import java.util.Map;

/**
 * What a {@link Node} does next.
 *
 * @param <S> what the node remembers
 */
public sealed interface Move<S extends Record> {
    /** What the node remembers from now on. */
    S then();

    /** Has it done: gives the result of the method for this kind. */
    <R> R by(Reader<R> reader);

    /** What does moves: one method for each kind. */
    interface Reader<R> {
        R take(Take<?> move);

        R together(Together<?> move);

        R remember(Remember<?> move);

        R goBack(Return<?> move);

        R end(End<?> move);
    }

    /**
     * Takes a part, then asks the node again; or, where it is the last, does not.
     *
     * @param part its position
     * @param last whether the node has ended with it
     * @param settings what is set before: values by the names of settings, such as {@code d/rate}
     */
    record Take<S extends Record>(int part, S then, boolean last, Map<String, Double> settings) implements Move<S> {
        @Override
        public <R> R by(Reader<R> reader) {
            return reader.take(this);
        }
    }

    /**
     * Takes parts together, which must be turns that descend: all gradients are computed before the first of them writes.
     *
     * @param parts their positions
     * @param back whether everything goes back to what {@link Remember} remembered between the two, so that gradients
     *     found here move the weights from there
     */
    record Together<S extends Record>(List<Integer> parts, S then, boolean back) implements Move<S> {
        @Override
        public <R> R by(Reader<R> reader) {
            return reader.together(this);
        }
    }

    /**
     * Remembers weights, running statistics, optimizers' slots and counts of all that the node's turns write.
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
     * Goes back to what was remembered, or part of the way, and forgets it.
     *
     * @param share of the way since then that is kept: 0 goes back in everything; 1 keeps everything; between them, weights
     *     lie so far along the straight line, and all else is kept
     */
    record Return<S extends Record>(double share, S then) implements Move<S> {
        @Override
        public <R> R by(Reader<R> reader) {
            return reader.goBack(this);
        }
    }

    /** Ends until the node's turn comes again. */
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

    /** Takes a part, and has ended with it. */
    static <S extends Record> Move<S> last(int part, S then) {
        return new Take<>(part, then, true, Map.of());
    }

    /** Ends. */
    static <S extends Record> Move<S> end(S then) {
        return new End<>(then);
    }
}
