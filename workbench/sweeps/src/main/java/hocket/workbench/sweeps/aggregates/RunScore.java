package hocket.workbench.sweeps.aggregates;

import hocket.workbench.files.UserError;

/**
 * The score of a run.
 *
 * @param seed seed of the run
 * @param place where it was read, for messages: a file with its line, or a folder
 */
record RunScore(String algorithm, String task, long seed, double score, String place) {
    /** @throws UserError if the score is not finite */
    RunScore {
        if (!Double.isFinite(score)) {
            throw new UserError(
                    place + ": the score of " + name(algorithm, task, seed) + " must be finite, was " + score);
        }
    }

    /** Returns a name of the run for messages. */
    String name() {
        return name(algorithm, task, seed);
    }

    private static String name(String algorithm, String task, long seed) {
        return "seed " + seed + " of " + algorithm + " on " + task;
    }

    /** Returns whether another run is of the same algorithm on the same task. */
    boolean isOfSame(RunScore other) {
        return algorithm.equals(other.algorithm) && task.equals(other.task);
    }

    RunScore with(double changed) {
        return new RunScore(algorithm, task, seed, changed, place);
    }
}
