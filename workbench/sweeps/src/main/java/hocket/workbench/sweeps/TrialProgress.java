package hocket.workbench.sweeps;

import hocket.schedulers.stats.Summary;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * The progress of a trial.
 *
 * @param rungs number of completed rungs
 * @param values values of the objective at the last of them, by seed
 * @param failed why it failed; empty if it did not
 * @param seconds duration of its processes
 */
public record TrialProgress(
        SweepTrial trial, Status status, int rungs, List<Double> values, String failed, double seconds) {
    /** The status of a trial. */
    enum Status {
        /** The trial trained its whole budget. */
        DONE,
        /** The trial was not continued to a further rung. */
        PRUNED,
        FAILED,
        /** The trial waits, or was stopped. */
        UNFINISHED;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public TrialProgress {
        values = List.copyOf(values);
    }

    /** Returns the mean over its seeds; empty without results. */
    OptionalDouble value() {
        return values.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(summary().mean());
    }

    /** Returns the deviation of its values; empty if there are fewer than two. */
    OptionalDouble deviation() {
        return values.size() < 2
                ? OptionalDouble.empty()
                : OptionalDouble.of(summary().deviation());
    }

    private Summary summary() {
        return Summary.of(values.stream().mapToDouble(Double::doubleValue).toArray());
    }
}
