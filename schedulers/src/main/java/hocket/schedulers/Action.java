package hocket.schedulers;

import hocket.schedulers.rings.KeepBest;
import hocket.schedulers.rings.Samples;
import hocket.schedulers.rings.TriggeredAction;
import hocket.schedulers.settings.Limits;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.DoubleConsumer;
import java.util.function.DoubleSupplier;

/** What is done beside training when a {@link Trigger} fires. */
public sealed interface Action {
    /**
     * It as a ring of a run.
     *
     * @throws IllegalArgumentException if the setup does not say how to do it, naming what is missing
     */
    Ring ring(Trigger trigger, Setup setup);

    /** Whether a run comes to something else where this is done at another time. */
    default boolean changesRun() {
        return true;
    }

    /** Whether it keeps the best, which an evaluation must tell. */
    default boolean keepsBest() {
        return false;
    }

    /** By how many episodes the best is judged, where that is said. */
    default OptionalInt judgedBy() {
        return OptionalInt.empty();
    }

    /** The settings that it changes, such as {@code d/rate}; usually none. */
    default Collection<String> settings() {
        return List.of();
    }

    /**
     * Does before a run what it will do to a setting, so that a value which is not taken is refused then.
     *
     * @param times how often
     * @param now gives the setting's value
     * @param set takes another one, or refuses it by an {@link IllegalArgumentException}
     */
    default void rehearse(String setting, long times, DoubleSupplier now, DoubleConsumer set) {}

    private static <T> T required(Optional<T> part, String deed, String missing) {
        return part.orElseThrow(
                () -> new IllegalArgumentException(deed + " is to be done, and the setup has no " + missing));
    }

    /** What every run can do. */
    enum Usual implements Action {
        /** Writes a checkpoint. */
        SAVE,
        /** Draws samples for the eye. */
        SAMPLES,
        /** Computes the validation's metric. */
        VALIDATE,
        /** Judges the parameters as they are. */
        SCORE,
        /** Keeps the parameters if they score best so far; where episodes are judged, by 20 of them. */
        BEST,
        /** Ends the run, as {@link Run#stop} does. */
        STOP;

        @Override
        public Ring ring(Trigger trigger, Setup setup) {
            return switch (this) {
                case SAVE -> TriggeredAction.save(trigger);
                case SAMPLES ->
                    TriggeredAction.samples(trigger, required(Samples.of(setup), "samples", "program of samples"));
                case VALIDATE ->
                    TriggeredAction.validate(trigger, required(setup.validation(), "validate", "validation"));
                case SCORE -> TriggeredAction.score(trigger, required(setup.evaluation(), "score", "evaluation"));
                case BEST ->
                    new KeepBest(trigger, required(setup.evaluation(), "best", "evaluation"), OptionalInt.empty());
                case STOP -> TriggeredAction.of("stop", trigger, Run::stop);
            };
        }

        @Override
        public boolean keepsBest() {
            return this == BEST;
        }

        @Override
        public boolean changesRun() {
            return switch (this) {
                case SAVE, SAMPLES, VALIDATE, SCORE, BEST -> false;
                case STOP -> true;
            };
        }
    }

    /**
     * Gives settings of turns' rules new values.
     *
     * @param values by the names of settings, such as {@code d/rate}
     */
    record Set(Map<String, Double> values) implements Action {
        public Set {
            values = Map.copyOf(values);
        }

        @Override
        public Ring ring(Trigger trigger, Setup setup) {
            return TriggeredAction.of("set", trigger, run -> values.forEach(run::set));
        }

        @Override
        public Collection<String> settings() {
            return values.keySet();
        }

        @Override
        public void rehearse(String setting, long times, DoubleSupplier now, DoubleConsumer set) {
            set.accept(Objects.requireNonNull(values.get(setting)));
        }
    }

    /**
     * Multiplies settings of turns' rules.
     *
     * @param factors by the names of settings, such as {@code d/rate}
     */
    record Scale(Map<String, Double> factors) implements Action {
        public Scale {
            factors = Map.copyOf(factors);
        }

        @Override
        public Ring ring(Trigger trigger, Setup setup) {
            return TriggeredAction.of(
                    "scale",
                    trigger,
                    run -> factors.forEach((setting, factor) -> run.set(setting, factor * run.setting(setting))));
        }

        @Override
        public Collection<String> settings() {
            return factors.keySet();
        }

        @Override
        public void rehearse(String setting, long times, DoubleSupplier now, DoubleConsumer set) {
            double factor = Objects.requireNonNull(factors.get(setting));
            for (long i = 1; i <= times; i++) {
                try {
                    set.accept(factor * now.getAsDouble());
                } catch (IllegalArgumentException e) {
                    throw new IllegalArgumentException(
                            setting + " times " + factor + ", time " + i + ": " + e.getMessage(), e);
                }
            }
        }
    }

    /**
     * Keeps the parameters if they score best so far.
     *
     * @param episodes by how many they are judged
     */
    record Best(int episodes) implements Action {
        /** @throws IllegalArgumentException if there is not at least one */
        public Best {
            Limits.atLeast(1, "episodes", episodes);
        }

        @Override
        public boolean keepsBest() {
            return true;
        }

        @Override
        public OptionalInt judgedBy() {
            return OptionalInt.of(episodes);
        }

        @Override
        public Ring ring(Trigger trigger, Setup setup) {
            return new KeepBest(trigger, required(setup.evaluation(), "best", "evaluation"), OptionalInt.of(episodes));
        }
    }

    /** Something of the user's own. */
    record Own(Consumer<Run> action) implements Action {
        @Override
        public Ring ring(Trigger trigger, Setup setup) {
            return Ring.on(trigger, action);
        }
    }
}
