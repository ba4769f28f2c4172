package hocket.schedulers;

/** When something is done beside training: asked at every round's end. */
public sealed interface Trigger {
    /** After every so many rounds. */
    record EveryRounds(long count) implements Trigger {
        public EveryRounds {
            if (count < 1) {
                throw new IllegalArgumentException("every so many rounds: must be at least 1, was " + count);
            }
        }
    }

    /** In the round that completes every so many epochs of a source. */
    record EveryEpochs(String source, long count) implements Trigger {
        public EveryEpochs {
            if (count < 1) {
                throw new IllegalArgumentException("every so many epochs: must be at least 1, was " + count);
            }
        }
    }

    /** When so many seconds have passed since the last time: for saving and logging only. */
    record EverySeconds(double seconds) implements Trigger {
        public EverySeconds {
            if (!(seconds > 0)) {
                throw new IllegalArgumentException("every so many seconds: must be above 0, was " + seconds);
            }
        }
    }

    /** Once, when the budget is reached. */
    record AtEnd() implements Trigger {}

    static Trigger everyRounds(long count) {
        return new EveryRounds(count);
    }

    /** Every epoch of a source, named by its own name or one of its columns. */
    static Trigger everyEpochOf(String source) {
        return new EveryEpochs(source, 1);
    }

    static Trigger everyEpochs(String source, long count) {
        return new EveryEpochs(source, count);
    }

    static Trigger everySeconds(double seconds) {
        return new EverySeconds(seconds);
    }

    static Trigger atEnd() {
        return new AtEnd();
    }
}
