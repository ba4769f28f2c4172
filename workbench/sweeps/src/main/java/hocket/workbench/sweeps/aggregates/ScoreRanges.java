package hocket.workbench.sweeps.aggregates;

import hocket.scopes.Quoted;
import hocket.workbench.files.UserError;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Ranges that normalise the scores of tasks to {@code (score - low) / (high - low)}, such as the scores of a random policy and
 * of a reference.
 *
 * @param file where they were read
 * @param ranges by task
 */
record ScoreRanges(Path file, Map<String, ScoreRange> ranges) {
    private static final String TASK = "task";
    private static final String LOW = "low";
    private static final String HIGH = "high";

    /**
     * The range of a task.
     *
     * @param place file and line
     * @param low the score that becomes 0
     * @param high the score that becomes 1
     */
    record ScoreRange(String place, double low, double high) {
        /** @throws UserError if low is not below high */
        ScoreRange {
            if (!(low < high)) {
                throw new UserError(place + ": low must be below high, was " + low + " with high " + high);
            }
        }

        double normalised(double score) {
            return (score - low) / (high - low);
        }
    }

    /**
     * Reads a file with the columns {@code task}, {@code low} and {@code high}, separated by tabs.
     *
     * @throws UserError if it is not such a file, naming the line
     */
    static ScoreRanges read(Path file) {
        Map<String, ScoreRange> ranges = new LinkedHashMap<>();
        for (TabSeparatedFile.Row row :
                TabSeparatedFile.read(file, List.of(TASK, LOW, HIGH)).rows()) {
            ScoreRange range = new ScoreRange(row.place(), row.number(LOW), row.number(HIGH));
            ScoreRange before = ranges.putIfAbsent(row.text(TASK), range);
            if (before != null) {
                throw new UserError(
                        row.place() + ": task " + row.text(TASK) + " has a range already, at " + before.place());
            }
        }
        return new ScoreRanges(file, ranges);
    }

    /** Returns the normalised score of a run. */
    RunScore normalised(RunScore run) {
        ScoreRange range = ranges.get(run.task());
        if (range == null) {
            throw new UserError("--range: " + file + " has no range of task " + run.task() + ", only of "
                    + Quoted.list(ranges.keySet()));
        }
        return run.with(range.normalised(run.score()));
    }

    /** @throws UserError if a range is of none of these tasks */
    void requireKnown(Set<String> tasks) {
        ranges.forEach((task, range) -> {
            if (!tasks.contains(task)) {
                throw new UserError(
                        range.place() + ": no score is of task " + task + ": the tasks are " + Quoted.list(tasks));
            }
        });
    }
}
