package hocket.schedulers;

import hocket.schedulers.commands.Steering;
import hocket.scopes.Tensor;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Something that happened in a run. Code that handles some kinds implements {@link Listener}; code that must handle
 * every kind that is shown to people calls {@link Report#fold}. Each kind names its method of a listener or its {@link
 * Report.Cases case}, so a new kind does not compile without one.
 *
 * <p>For example:
 *
 * <pre>{@code
 * scheduler.listen(Event.Descended.class, event -> System.out.println(event.turn() + " " + event.loss()));
 * }</pre>
 */
public sealed interface Event {
    /** Returns the position of the run when the event happened. */
    Position at();

    /** Calls the listener's method for this kind. */
    void tell(Run run, Listener listener);

    /**
     * The position of a run.
     *
     * @param step turns taken so far
     * @param round rounds completed so far
     * @param epoch epochs of the first source so far; 0 without one
     */
    record Position(long step, long round, double epoch) {}

    /** One method for each kind of event, called on the training thread; the default of each method does nothing. */
    interface Listener {
        /** Handles any turn for whose kind no method is overridden. */
        default void turnTaken(Run run, TurnTaken event) {}

        default void descended(Run run, Descended event) {
            turnTaken(run, event);
        }

        default void followed(Run run, Followed event) {
            turnTaken(run, event);
        }

        default void acted(Run run, Acted event) {
            turnTaken(run, event);
        }

        default void started(Run run, Started event) {}

        default void roundEnded(Run run, RoundEnded event) {}

        default void epochEnded(Run run, EpochEnded event) {}

        default void sampled(Run run, Sampled event) {}

        default void saving(Run run, Saving event) {}

        default void paused(Run run, Paused event) {}

        default void resumed(Run run, Resumed event) {}

        default void ended(Run run, Ended event) {}

        /** Handles any report for whose kind no method is overridden. */
        default void reported(Run run, Report event) {}

        default void validated(Run run, Validated event) {
            reported(run, event);
        }

        default void scored(Run run, Scored event) {
            reported(run, event);
        }

        default void saved(Run run, Saved event) {
            reported(run, event);
        }

        default void notSaved(Run run, NotSaved event) {
            reported(run, event);
        }

        default void notEstimated(Run run, NotEstimated event) {
            reported(run, event);
        }

        default void steered(Run run, Steered event) {
            reported(run, event);
        }

        default void noted(Run run, Noted event) {
            reported(run, event);
        }
    }

    /** A turn was taken. The position is that of the turn's beginning. */
    sealed interface TurnTaken extends Event {
        /** Returns the turn's name. */
        String turn();

        /** Returns the metrics that the turn reported, by name. */
        SortedMap<String, Double> figures();
    }

    /** An event that is shown to people, at least in the run's log. */
    sealed interface Report extends Event {
        /** Gives the result of the function for this kind. */
        <R> R fold(Cases<R> cases);

        @Override
        default void tell(Run run, Listener listener) {
            fold(new Cases<Runnable>(
                            validated -> () -> listener.validated(run, validated),
                            scored -> () -> listener.scored(run, scored),
                            saved -> () -> listener.saved(run, saved),
                            notSaved -> () -> listener.notSaved(run, notSaved),
                            notEstimated -> () -> listener.notEstimated(run, notEstimated),
                            steered -> () -> listener.steered(run, steered),
                            noted -> () -> listener.noted(run, noted)))
                    .run();
        }

        /** One function for each kind of report. */
        record Cases<R>(
                Function<Validated, R> validated,
                Function<Scored, R> scored,
                Function<Saved, R> saved,
                Function<NotSaved, R> notSaved,
                Function<NotEstimated, R> notEstimated,
                Function<Steered, R> steered,
                Function<Noted, R> noted) {}
    }

    /** A run started or resumed. */
    record Started(Position at, Budget budget) implements Event {
        @Override
        public void tell(Run run, Listener listener) {
            listener.started(run, this);
        }
    }

    /**
     * A turn took a gradient step.
     *
     * @param turn its name
     * @param loss before the update
     * @param gradientNorm Euclidean, over all gradients of the turn, before clipping
     * @param metrics the program's metrics, before the update
     * @param settings the optimizer settings of this update, such as {@code rate}
     */
    record Descended(Position at, String turn, double loss, double gradientNorm, Metrics metrics, Metrics settings)
            implements TurnTaken {
        @Override
        public void tell(Run run, Listener listener) {
            listener.descended(run, this);
        }

        @Override
        public SortedMap<String, Double> figures() {
            SortedMap<String, Double> figures = metrics.byName();
            figures.put("loss", loss);
            figures.put("gradient_norm", gradientNorm);
            return figures;
        }
    }

    /** A turn averaged weights. */
    record Followed(Position at, String turn) implements TurnTaken {
        @Override
        public void tell(Run run, Listener listener) {
            listener.followed(run, this);
        }

        @Override
        public SortedMap<String, Double> figures() {
            return Collections.emptySortedMap();
        }
    }

    /**
     * A turn of Java ended.
     *
     * @param turn its name
     * @param metrics what it reported
     */
    record Acted(Position at, String turn, Metrics metrics) implements TurnTaken {
        @Override
        public void tell(Run run, Listener listener) {
            listener.acted(run, this);
        }

        @Override
        public SortedMap<String, Double> figures() {
            return metrics.byName();
        }
    }

    /** A round ended. */
    record RoundEnded(Position at) implements Event {
        @Override
        public void tell(Run run, Listener listener) {
            listener.roundEnded(run, this);
        }
    }

    /** A source completed an epoch. */
    record EpochEnded(Position at, String source, long epoch) implements Event {
        @Override
        public void tell(Run run, Listener listener) {
            listener.epochEnded(run, this);
        }
    }

    /** Samples were drawn for people to look at, of shape (count, ...). */
    record Sampled(Position at, Tensor samples) implements Event {
        @Override
        public void tell(Run run, Listener listener) {
            listener.sampled(run, this);
        }
    }

    /** A validation computed the mean of a metric over rows that no turn trains on. */
    record Validated(Position at, String metric, double mean) implements Report {
        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.validated().apply(this);
        }
    }

    /**
     * The parameters were evaluated.
     *
     * @param scores by name
     * @param best whether they were kept as the best so far
     */
    record Scored(Position at, SortedMap<String, Double> scores, boolean best) implements Report {
        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.scored().apply(this);
        }
    }

    /** A checkpoint is about to be written; listeners flush buffered output to the disk before it. */
    record Saving(Position at) implements Event {
        @Override
        public void tell(Run run, Listener listener) {
            listener.saving(run, this);
        }
    }

    /**
     * A checkpoint was written into a folder.
     *
     * @param at position of the run when it was saved; training may have continued since
     */
    record Saved(Position at, Path folder) implements Report {
        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.saved().apply(this);
        }
    }

    /**
     * A checkpoint could not be written; the run continues without it.
     *
     * @param at position of the run
     * @param why the reason that the file system gave
     */
    record NotSaved(Position at, Path folder, String why) implements Report {
        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.notSaved().apply(this);
        }
    }

    /**
     * The batch-norm statistics of an average could not be estimated; the checkpoint holds those of the followed
     * network instead. Resuming from it gives the same bits.
     *
     * @param why the exception of the estimate
     */
    record NotEstimated(Position at, Throwable why) implements Report {
        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.notEstimated().apply(this);
        }
    }

    /** A command was applied. */
    record Steered(Position at, Steering.Applied applied) implements Report {
        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.steered().apply(this);
        }
    }

    /**
     * A ring or the run has something to tell people, such as a text that a model wrote, or that an older checkpoint could not be
     * deleted.
     *
     * @param name of the kind of note, in a word or two
     */
    record Noted(Position at, String name, String text) implements Report {
        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.noted().apply(this);
        }
    }

    /** The run was paused between turns by a person. */
    record Paused(Position at) implements Event {
        @Override
        public void tell(Run run, Listener listener) {
            listener.paused(run, this);
        }
    }

    /** The run was resumed after a pause. */
    record Resumed(Position at) implements Event {
        @Override
        public void tell(Run run, Listener listener) {
            listener.resumed(run, this);
        }
    }

    /** The run ended: its budget was reached, or it was asked to stop. */
    record Ended(Position at, boolean complete) implements Event {
        @Override
        public void tell(Run run, Listener listener) {
            listener.ended(run, this);
        }
    }

    /** Scalars by name, in name order. */
    final class Metrics {
        private final List<String> names;
        private final double[] values;

        public Metrics(List<String> names, double[] values) {
            this.names = names;
            this.values = values;
        }

        /** The scalars of a program that has none. */
        public static Metrics none() {
            return new Metrics(List.of(), new double[0]);
        }

        /** The scalars with these names and values. */
        public static Metrics of(SortedMap<String, Double> values) {
            return new Metrics(
                    List.copyOf(values.keySet()),
                    values.values().stream().mapToDouble(Double::doubleValue).toArray());
        }

        public List<String> names() {
            return names;
        }

        /** Returns all scalars by their names. */
        public SortedMap<String, Double> byName() {
            SortedMap<String, Double> all = new TreeMap<>();
            for (int i = 0; i < values.length; i++) {
                all.put(names.get(i), values[i]);
            }
            return all;
        }

        /** @throws IllegalArgumentException if the name is unknown */
        public double get(String name) {
            int index = names.indexOf(name);
            if (index < 0) {
                throw new IllegalArgumentException("there is no metric " + name + "; there is " + names);
            }
            return values[index];
        }

        @Override
        public String toString() {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < values.length; i++) {
                text.append(i == 0 ? "" : ", ").append(names.get(i)).append(' ').append(values[i]);
            }
            return text.toString();
        }
    }
}
