package hocket.schedulers;

import hocket.schedulers.settings.Keyed;
import hocket.schedulers.settings.NumberText;
import hocket.schedulers.settings.Setting;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A trigger says when an action runs, evaluated after each round; a {@link Condition} can also steer a plan.
 *
 * <p>For example:
 *
 * <pre>{@code
 * scheduler.on(everyRounds(100), Run::save).on(Trigger.everySeconds(60), Run::save).on(atEnd(), Run::save);
 * }</pre>
 */
@Keyed
public sealed interface Trigger permits Condition, Trigger.EverySeconds, Trigger.AtEnd {
    /** Returns a description for people: {@code every 20 rounds}, {@code when d/loss is below 0.4}. */
    String words();

    /** Returns this trigger if it depends on the run alone. */
    default Optional<Condition<?>> condition() {
        return Optional.empty();
    }

    /** Returns the seconds after which it fires, if it depends on a clock; else infinity. */
    default double seconds() {
        return Double.POSITIVE_INFINITY;
    }

    /** Returns whether it fires when the run ends. */
    default boolean isAtEnd() {
        return false;
    }

    /** Returns how often it is certain to fire in a number of rounds; 0 where that is not known. */
    default long timesIn(long rounds) {
        return 0;
    }

    /** Returns the names of the sources whose epochs it reads; usually none. */
    default List<String> sourcesRead() {
        return List.of();
    }

    /** Returns the metrics that it reads, such as {@code d/loss}; usually none. */
    default List<String> seriesRead() {
        return List.of();
    }

    /** Fires after every {@code n} rounds; in a plan, in the first of every {@code n}. */
    @Keyed.Name("rounds")
    record EveryRounds(
            @Setting(least = 1, help = "after this many rounds")
            long rounds) implements Condition.Stateless {
        public EveryRounds {
            if (rounds < 1) {
                throw new IllegalArgumentException("every n rounds: n must be at least 1, was " + rounds);
            }
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
        public boolean holds(ScheduleView view) {
            return view.round() % rounds == 0;
        }
    }

    /**
     * Fires in the round that completes every {@code n}-th epoch of a source.
     *
     * @param epochs their number by the name of the source or one of its columns: one entry
     */
    @Keyed.Name("epochs")
    record EveryEpochs(
            @Setting(least = 1, help = "after this many epochs of a feed")
            Map<String, Long> epochs) implements Condition<EveryEpochs.At> {
        /** The epochs at the last evaluation. */
        public record At(double epoch) {}

        public EveryEpochs {
            epochs = Map.copyOf(epochs);
            if (epochs.size() != 1) {
                throw new IllegalArgumentException(
                        "epochs: must name one feed, as in {digits: 30}, names " + epochs.size());
            }
            for (long count : epochs.values()) {
                if (count < 1) {
                    throw new IllegalArgumentException("every n epochs: n must be at least 1, was " + count);
                }
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

    /** Fires in the round that completes an epoch of a source. */
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

    /** Fires when a number of seconds have passed since the last time; for saving and logging only. */
    @Keyed.Name("seconds")
    record EverySeconds(
            @Setting(least = 1e-3, help = "after this many seconds")
            double seconds) implements Trigger {
        public EverySeconds {
            if (!(seconds > 0)) {
                throw new IllegalArgumentException("every n seconds: n must be above 0, was " + seconds);
            }
        }

        @Override
        public String words() {
            return "every " + NumberText.exactly(seconds) + " seconds";
        }
    }

    /** Fires once, when the budget is reached or {@link Run#stop} ends the run before. */
    record AtEnd() implements Trigger {
        @Override
        public boolean isAtEnd() {
            return true;
        }

        @Override
        public String words() {
            return "at the end";
        }
    }

    static Trigger everyRounds(long count) {
        return new EveryRounds(count);
    }

    /** Fires every epoch of a source, given by its name or one of its columns. */
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
