package hocket.workbench.sweeps;

import hocket.schedulers.stats.Summary;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * Where a trial stands.
 *
 * @param rungs how many it has done
 * @param values of the objective at the last of them, by seed
 * @param failed why it failed; empty where it did not
 * @param seconds that its processes took
 */
public record TrialProgress(
        SweepTrial trial, Status status, int rungs, List<Double> values, String failed, double seconds) {
    /** How far it is. */
    enum Status {
        /** All of its budget. */
        DONE,
        /** It did not go on to a further rung. */
        PRUNED,
        FAILED,
        /** It waits, or was stopped. */
        UNFINISHED;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public TrialProgress {
        values = List.copyOf(values);
    }

    /** The mean over its seeds; empty where nothing came of it. */
    OptionalDouble value() {
        return values.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(summary().mean());
    }

    /** Of its values; empty where there are less than two. */
    OptionalDouble deviation() {
        return values.size() < 2
                ? OptionalDouble.empty()
                : OptionalDouble.of(summary().deviation());
    }

    private Summary summary() {
        return Summary.of(values.stream().mapToDouble(Double::doubleValue).toArray());
    }
}
