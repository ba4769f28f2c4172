package hocket.schedulers;

/**
 * How long a run goes on, counted from the very start, so that a resumed run ends where the whole one would have. It ends
 * at the end of the round in which the budget is reached.
 */
public sealed interface Budget {
    /** A number of rounds. */
    record Rounds(long count) implements Budget {
        public Rounds {
            requireNotNegative("rounds", count);
        }
    }

    /** A number of turns. */
    record Turns(long count) implements Budget {
        public Turns {
            requireNotNegative("turns", count);
        }
    }

    /** A number of epochs of a source, which is named by its own name or one of its columns. */
    record Epochs(String source, long count) implements Budget {
        public Epochs {
            requireNotNegative("epochs", count);
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
