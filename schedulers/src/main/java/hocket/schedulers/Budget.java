package hocket.schedulers;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * The length of a run, counted from its very start, so that a resumed run ends where an uninterrupted one would. The
 * run ends after the round in which the budget is reached.
 *
 * <p>For example:
 *
 * <pre>{@code
 * Budget budget = Budget.rounds(1000);
 * Budget passes = Budget.epochs("image", 30); // of the source with the column image
 * }</pre>
 */
public sealed interface Budget {
    /** The unit of a budget: rounds, turns or epochs. */
    default String unit() {
        return fold(rounds -> "rounds", turns -> "turns", epochs -> "epochs");
    }

    /** Returns the number of these units. */
    long count();

    /** Returns the result of the function for this kind. */
    <R> R fold(Function<Rounds, R> rounds, Function<Turns, R> turns, Function<Epochs, R> epochs);

    /** Returns the name of the source whose epochs the budget counts; usually none. */
    default Optional<String> counted() {
        return fold(rounds -> Optional.empty(), turns -> Optional.empty(), epochs -> Optional.of(epochs.source()));
    }

    /** Returns the number of rounds, if the budget counts rounds. */
    default OptionalLong rounds() {
        return fold(
                rounds -> OptionalLong.of(rounds.count()),
                turns -> OptionalLong.empty(),
                epochs -> OptionalLong.empty());
    }

    /** A number of rounds. */
    record Rounds(long count) implements Budget {
        public Rounds {
            requireNotNegative("rounds", count);
        }

        @Override
        public <R> R fold(Function<Rounds, R> rounds, Function<Turns, R> turns, Function<Epochs, R> epochs) {
            return rounds.apply(this);
        }
    }

    /** A number of turns. */
    record Turns(long count) implements Budget {
        public Turns {
            requireNotNegative("turns", count);
        }

        @Override
        public <R> R fold(Function<Rounds, R> rounds, Function<Turns, R> turns, Function<Epochs, R> epochs) {
            return turns.apply(this);
        }
    }

    /** A number of epochs of a source; the source is given by its name or by the name of one of its columns. */
    record Epochs(String source, long count) implements Budget {
        public Epochs {
            requireNotNegative("epochs", count);
        }

        @Override
        public <R> R fold(Function<Rounds, R> rounds, Function<Turns, R> turns, Function<Epochs, R> epochs) {
            return epochs.apply(this);
        }
    }

    static Budget rounds(long count) {
        return new Rounds(count);
    }

    static Budget turns(long count) {
        return new Turns(count);
    }

    static Budget epochs(String source, long count) {
        return new Epochs(source, count);
    }

    private static void requireNotNegative(String what, long count) {
        if (count < 0) {
            throw new IllegalArgumentException(what + " must be at least 0, was " + count);
        }
    }
}
