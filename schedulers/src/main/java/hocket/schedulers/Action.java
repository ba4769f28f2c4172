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

/**
 * An action that a run takes, outside of its turns, when a {@link Trigger} fires.
 *
 * <p>For example:
 *
 * <pre>{@code
 * setup = setup.on(everyEpochOf("image"), new Action.Own(Run::save))
 *         .on(everyRounds(500), new Action.Set(Map.of("d/rate", 1e-4)));
 * }</pre>
 */
public sealed interface Action {
    /**
     * Returns this action as a ring.
     *
     * @throws IllegalArgumentException if the setup lacks a part that this action needs, naming what is missing
     */
    Ring ring(Trigger trigger, Setup setup);

    /** Returns whether the time of this action changes the result of a run. */
    default boolean changesRun() {
        return true;
    }

    /** Returns whether this action keeps the best parameters, for which the setup needs an evaluation. */
    default boolean keepsBest() {
        return false;
    }

    /** Returns the number of episodes by which the best is chosen; empty where none is set. */
    default OptionalInt judgedBy() {
        return OptionalInt.empty();
    }

    /** Returns the names of the settings that this action changes, such as {@code d/rate}; usually none. */
    default Collection<String> settings() {
        return List.of();
    }

    /**
     * Applies this action's change of a setting before a run, so that an invalid value is refused before training.
     *
     * @param times how often
     * @param now gives the setting's value
     * @param set sets another value, or refuses it by an {@link IllegalArgumentException}
     */
    default void rehearse(String setting, long times, DoubleSupplier now, DoubleConsumer set) {}

    private static <T> T required(Optional<T> part, String action, String missing) {
        return part.orElseThrow(
                () -> new IllegalArgumentException(action + " is to be done, and the setup has no " + missing));
    }

    /** Actions that every run offers. */
    enum Usual implements Action {
        /** Writes a checkpoint. */
        SAVE,
        /** Draws samples for people to look at. */
        SAMPLES,
        /** Computes the validation metric. */
        VALIDATE,
        /** Evaluates the current parameters. */
        SCORE,
        /** Keeps the parameters if their score is the best so far; scores of episodes are means over 20 episodes. */
        BEST,
        /** Ends the run like {@link Run#stop}. */
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
     * Sets optimizer settings of turns to new values.
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
     * Multiplies optimizer settings of turns by factors.
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
     * Keeps the parameters if their score is the best so far.
     *
     * @param episodes number of episodes in an evaluation
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

    /** Runs the user's own code. */
    record Own(Consumer<Run> action) implements Action {
        @Override
        public Ring ring(Trigger trigger, Setup setup) {
            return Ring.on(trigger, action);
        }

        @Override
        public Collection<String> settings() {
            return action instanceof ChangesSettings changes ? changes.settings() : List.of();
        }
    }

    /** The code of an {@link Own} action that names the settings it changes, so that an unknown one is refused early. */
    @FunctionalInterface
    interface ChangesSettings {
        /** Returns their names, such as {@code d/rate}. */
        Collection<String> settings();
    }
}
