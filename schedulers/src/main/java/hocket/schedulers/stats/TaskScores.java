package hocket.schedulers.stats;

import java.util.Arrays;
import org.apache.commons.rng.UniformRandomProvider;

/** The final scores of an algorithm: on each task those of its seeds, of which tasks may have different numbers. Immutable. */
public final class TaskScores {
    private final double[][] scores;

    private TaskScores(double[][] scores) {
        this.scores = scores;
    }

    /**
     * Returns the scores of some tasks.
     *
     * @param tasks for each task its scores, one of each seed
     * @throws IllegalArgumentException if there is no task, or a task without scores, or a score that is not finite
     */
    public static TaskScores of(double[]... tasks) {
        if (tasks.length == 0) {
            throw new IllegalArgumentException("scores need at least one task");
        }
        double[][] scores = new double[tasks.length][];
        for (int task = 0; task < tasks.length; task++) {
            scores[task] = tasks[task].clone();
            if (scores[task].length == 0) {
                throw new IllegalArgumentException("task " + task + " needs at least one score");
            }
            for (double score : scores[task]) {
                if (!Double.isFinite(score)) {
                    throw new IllegalArgumentException("scores of task " + task + " must be finite, one was " + score);
                }
            }
        }
        return new TaskScores(scores);
    }

    /** Returns the number of tasks. */
    public int tasks() {
        return scores.length;
    }

    /** Returns the number of scores of all tasks. */
    public int runs() {
        int runs = 0;
        for (double[] task : scores) {
            runs += task.length;
        }
        return runs;
    }

    /** Returns the number of scores of the task with the fewest. */
    public int fewestRuns() {
        return Arrays.stream(scores).mapToInt(task -> task.length).min().orElseThrow();
    }

    /** Returns the sorted scores of a task. */
    double[] sorted(int task) {
        double[] sorted = scores[task].clone();
        Arrays.sort(sorted);
        return sorted;
    }

    /** Returns the sorted scores of all tasks. */
    double[] sorted() {
        double[] sorted = new double[runs()];
        int from = 0;
        for (double[] task : scores) {
            System.arraycopy(task, 0, sorted, from, task.length);
            from += task.length;
        }
        Arrays.sort(sorted);
        return sorted;
    }

    /** Returns the mean of each task. */
    double[] means() {
        double[] means = new double[scores.length];
        for (int task = 0; task < means.length; task++) {
            means[task] = Summary.mean(scores[task], 0, scores[task].length);
        }
        return means;
    }

    /** Returns as many scores of each task, drawn from that task's with replacement. */
    TaskScores resampled(UniformRandomProvider random) {
        double[][] resampled = new double[scores.length][];
        for (int task = 0; task < scores.length; task++) {
            double[] all = scores[task];
            resampled[task] = new double[all.length];
            for (int run = 0; run < all.length; run++) {
                resampled[task][run] = all[random.nextInt(all.length)];
            }
        }
        return new TaskScores(resampled);
    }
}
