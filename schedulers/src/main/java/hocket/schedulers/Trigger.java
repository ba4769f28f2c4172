package hocket.schedulers;

import hocket.schedulers.settings.Keyed;
import hocket.schedulers.settings.Limits;
import hocket.schedulers.settings.NumberText;
import hocket.schedulers.settings.Setting;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** When something is done: beside training, asked at every round's end, or, if it is a {@link Condition}, in a plan. */
@Keyed
public sealed interface Trigger permits Condition, Trigger.EverySeconds, Trigger.AtEnd {
    /** Gives the result of the function for this kind. */
    <R> R fold(Function<Condition<?>, R> condition, Function<EverySeconds, R> seconds, Function<AtEnd, R> atEnd);

    /** When it fires, for people: {@code every 20 rounds}, {@code when d/loss is below 0.4}. */
    String words();

    /** This trigger, if it depends on nothing but the run. */
    default Optional<Condition<?>> condition() {
        return fold(Optional::of, seconds -> Optional.empty(), end -> Optional.empty());
    }

    /** After how many seconds it fires, if a clock decides that; else infinite. */
    default double seconds() {
        return Double.POSITIVE_INFINITY;
    }

    /** Whether it fires when the run ends. */
    default boolean isAtEnd() {
        return fold(condition -> false, seconds -> false, end -> true);
    }

    /** How often it is sure to fire in a number of rounds; 0 where that is not known. */
    default long timesIn(long rounds) {
        return 0;
    }

    /** The sources whose epochs it reads, by name; usually none. */
    default List<String> sourcesRead() {
        return List.of();
    }

    /** The series whose figures it reads, such as {@code d/loss}; usually none. */
    default List<String> seriesRead() {
        return List.of();
    }

    /** After every so many rounds; in a plan, in the first of every so many. */
    @Keyed.Name("rounds")
    record EveryRounds(
            @Setting(least = 1, help = "after so many rounds")
            long rounds) implements Condition<EveryRounds.Nothing> {
        /** It remembers nothing. */
        public record Nothing() {
            private static final Nothing NOTHING = new Nothing();
        }

        public EveryRounds {
            Limits.atLeast(1, "every so many rounds", rounds);
        }

        @Override
        public String words() {
            return NumberText.every(rounds, "round");
        }

        @Override
        public boolean isPeriodic() {
            return true;
        }

        @Override
        public long timesIn(long all) {
            return all / rounds;
        }

        @Override
        public Nothing start() {
            return Nothing.NOTHING;
        }

        @Override
        public Look<Nothing> look(Nothing state, ScheduleView view) {
            return new Look<>(view.round() % rounds == 0, state);
        }
    }

    /**
     * In the round that completes every so many epochs of a source.
     *
     * @param epochs how many, by the name of the source or one of its columns: one entry
     */
    @Keyed.Name("epochs")
    record EveryEpochs(
            @Setting(least = 1, help = "after so many epochs of a feed")
            Map<String, Long> epochs) implements Condition<EveryEpochs.At> {
        /** Epochs when it was looked at last. */
        public record At(double epoch) {}

        public EveryEpochs {
            epochs = Map.copyOf(epochs);
            if (epochs.size() != 1) {
                throw new IllegalArgumentException(
                        "epochs: must name one feed, as in {digits: 30}, names " + epochs.size());
            }
            for (long count : epochs.values()) {
                Limits.atLeast(1, "every so many epochs", count);
            }
        }

        String source() {
            return epochs.keySet().iterator().next();
        }

        private long count() {
            return epochs.values().iterator().next();
        }

        @Override
        public String words() {
            return NumberText.every(count(), "epoch") + " of " + source();
        }

        @Override
        public boolean isPeriodic() {
            return true;
        }

        @Override
        public List<String> sourcesRead() {
            return List.of(source());
        }

        @Override
        public At start() {
            return new At(0);
        }

        @Override
        public At begin(ScheduleView view) {
            return new At(view.epoch(source()));
        }

        @Override
        public Look<At> look(At at, ScheduleView view) {
            double now = view.epoch(source());
            return new Look<>(Math.floor(now / count()) > Math.floor(at.epoch() / count()), new At(now));
        }
    }

    /** In the round that completes an epoch of a source. */
    @Keyed.Name("epoch")
    record EveryEpoch(
            @Setting(help = "after each epoch of this feed") String epoch) implements Condition<EveryEpochs.At> {
        private EveryEpochs each() {
            return new EveryEpochs(Map.of(epoch, 1L));
        }

        @Override
        public String words() {
            return each().words();
        }

        @Override
        public boolean isPeriodic() {
            return true;
        }

        @Override
        public List<String> sourcesRead() {
            return List.of(epoch);
        }

        @Override
        public EveryEpochs.At start() {
            return each().start();
        }

        @Override
        public EveryEpochs.At begin(ScheduleView view) {
            return each().begin(view);
        }

        @Override
        public Look<EveryEpochs.At> look(EveryEpochs.At at, ScheduleView view) {
            return each().look(at, view);
        }
    }

    /** When so many seconds have passed since the last time: for saving and logging only. */
    @Keyed.Name("seconds")
    record EverySeconds(
            @Setting(least = 1e-3, help = "after so many seconds")
            double seconds) implements Trigger {
        public EverySeconds {
            if (!(seconds > 0)) {
                throw new IllegalArgumentException("every so many seconds: must be above 0, was " + seconds);
            }
        }

        @Override
        public <R> R fold(
                Function<Condition<?>, R> condition, Function<EverySeconds, R> every, Function<AtEnd, R> atEnd) {
            return every.apply(this);
        }

        @Override
        public String words() {
            return "every " + NumberText.exactly(seconds) + " seconds";
        }
    }

    /** Once, when the budget is reached or {@link Run#stop} ends the run before. */
    record AtEnd() implements Trigger {
        @Override
        public <R> R fold(
                Function<Condition<?>, R> condition, Function<EverySeconds, R> seconds, Function<AtEnd, R> atEnd) {
            return atEnd.apply(this);
        }

        @Override
        public String words() {
            return "at the end";
        }
    }

    static Trigger everyRounds(long count) {
        return new EveryRounds(count);
    }

    /** Every epoch of a source, named by its own name or one of its columns. */
    static Trigger everyEpochOf(String source) {
        return everyEpochs(source, 1);
    }

    static Trigger everyEpochs(String source, long count) {
        return new EveryEpochs(Map.of(source, count));
    }

    static Trigger everySeconds(double seconds) {
        return new EverySeconds(seconds);
    }

    static Trigger atEnd() {
        return new AtEnd();
    }
}
