package hocket.schedulers;

import hocket.scopes.Tensor;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** What happened in a run. */
public sealed interface Event {
    /** Where the run was. */
    Position at();

    /**
     * Where a run is.
     *
     * @param step turns taken so far
     * @param round rounds completed so far
     * @param epoch epochs of the first source so far; 0 without one
     */
    record Position(long step, long round, double epoch) {}

    /** A run began, or went on. */
    record Started(Position at, Budget budget) implements Event {}

    /**
     * A turn descended its loss.
     *
     * @param turn its name
     * @param loss before the update
     * @param gradientNorm Euclidean, over all gradients of the turn, before clipping
     * @param metrics the program's metrics, before the update
     * @param settings the settings of its rules by which it was updated, such as {@code rate}
     */
    record Descended(Position at, String turn, double loss, double gradientNorm, Metrics metrics, Metrics settings)
            implements Event {}

    /** A turn averaged weights. */
    record Followed(Position at, String turn) implements Event {}

    /**
     * A turn of Java ended.
     *
     * @param turn its name
     * @param metrics what it reported
     */
    record Acted(Position at, String turn, Metrics metrics) implements Event {}

    /** A round ended. */
    record RoundEnded(Position at) implements Event {}

    /** A source was drawn to its end. */
    record EpochEnded(Position at, String source, long epoch) implements Event {}

    /** Samples were drawn for the eye: (count, ...). */
    record Sampled(Position at, Tensor samples) implements Event {}

    /** The mean of a metric over rows that no turn trains on. */
    record Validated(Position at, String metric, double mean) implements Event {}

    /**
     * The parameters were judged.
     *
     * @param scores by name
     * @param best whether they were kept as the best so far
     */
    record Scored(Position at, SortedMap<String, Double> scores, boolean best) implements Event {}

    /** A checkpoint is about to be written: what has been held back reaches the disk before it. */
    record Saving(Position at) implements Event {}

    /**
     * A checkpoint was written into a folder.
     *
     * @param at where the run was when it was saved; it may have gone on since
     */
    record Saved(Position at, Path folder) implements Event {}

    /**
     * A checkpoint could not be written, and the run goes on without it.
     *
     * @param at where the run was
     * @param why the disk's reason
     */
    record NotSaved(Position at, Path folder, String why) implements Event {}

    /**
     * The batch-norm statistics of an average could not be estimated, and a checkpoint holds those of the network that it
     * follows. Training goes on from it to the same bits.
     *
     * @param why what the estimate threw
     */
    record NotEstimated(Position at, Throwable why) implements Event {}

    /** A command was applied. */
    record Steered(Position at, Steering.Applied applied) implements Event {}

    /** The run waits between turns, for a person. */
    record Paused(Position at) implements Event {}

    /** It goes on. */
    record Resumed(Position at) implements Event {}

    /** The budget was reached, or the run was asked to stop. */
    record Ended(Position at, boolean complete) implements Event {}

    /** Single numbers by name, in name order. */
    final class Metrics {
        private final List<String> names;
        private final double[] values;

        Metrics(List<String> names, double[] values) {
            this.names = names;
            this.values = values;
        }

        /** Of a program that has none. */
        public static Metrics none() {
            return new Metrics(List.of(), new double[0]);
        }

        /** Of these names and values. */
        public static Metrics of(SortedMap<String, Double> values) {
            return new Metrics(
                    List.copyOf(values.keySet()),
                    values.values().stream().mapToDouble(Double::doubleValue).toArray());
        }

        public List<String> names() {
            return names;
        }

        /** All by their names. */
        public SortedMap<String, Double> byName() {
            SortedMap<String, Double> all = new TreeMap<>();
            for (int i = 0; i < values.length; i++) {
                all.put(names.get(i), values[i]);
            }
            return all;
        }

        /** @throws IllegalArgumentException if there is none of that name */
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
