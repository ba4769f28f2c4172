package hocket.rl.replay;

import hocket.rl.spaces.Box;
import hocket.rl.spaces.Discrete;
import hocket.rl.spaces.Space;
import java.util.List;

/**
 * T steps of E environments by one policy: all that a learner with other parameters needs to learn from them. Numbers
 * are stored as [time][environment], the w numbers of a row together. Arrays are not copied: the creator must not
 * change them afterwards.
 *
 * <p>Environments begin the next episode at once, so the observation after the last one of an episode is the first of
 * the next. An episode that a time limit truncated would have continued: the learner estimates its value from the
 * observation that it ended in, which is kept in {@code cutOff}. An episode that terminated at the same step counts as
 * terminated.
 *
 * @param version of the policy that acted: the number of updates the learner had made
 * @param steps T
 * @param environments E
 * @param observations before each step and after the last, (T + 1, E, w)
 * @param actions as they were chosen, before the environment's transform, (T, E, a)
 * @param masks of the actions that were allowed, 1, else 0, (T, E, n); empty if the policy keeps to none
 * @param logProbabilities of these under the policy that chose them, in nats, (T, E)
 * @param rewards of each step, (T, E)
 * @param terminated whether each step ended an episode by the environment's own rules, (T, E)
 * @param truncated whether each step ended an episode from outside, and not by the environment's own rules, (T, E)
 * @param cutOff the observations that truncated episodes ended in, in the order of their steps and environments, (k, w)
 * @param episodes that ended in this trajectory, in their order
 */
public record Trajectory(
        long version,
        int steps,
        int environments,
        float[] observations,
        float[] actions,
        float[] masks,
        float[] logProbabilities,
        float[] rewards,
        boolean[] terminated,
        boolean[] truncated,
        float[] cutOff,
        List<Episode> episodes) {
    /**
     * An episode that ended.
     *
     * @param ret the sum of its rewards as the environment gave them
     * @param length the number of its steps
     */
    public record Episode(double ret, int length) {}

    public Trajectory {
        episodes = List.copyOf(episodes);
    }

    /** The number of environment steps: T times E. */
    public int rows() {
        return steps * environments;
    }

    /** The number of episodes that a time limit truncated. */
    int cuts() {
        int cuts = 0;
        for (boolean cut : truncated) {
            cuts += cut ? 1 : 0;
        }
        return cuts;
    }

    /**
     * Checks the number of steps and environments, the shapes, and that all numbers are finite.
     *
     * @param maskWidth the numbers of a mask, 0 without masks
     * @throws IllegalArgumentException if a part does not fit, naming it
     */
    public void require(int wantedSteps, int wantedEnvironments, Space observation, Space action, int maskWidth) {
        if (steps != wantedSteps || environments != wantedEnvironments) {
            throw new IllegalArgumentException("trajectory: must be " + wantedSteps + " steps of " + wantedEnvironments
                    + " environments, was " + steps + " of " + environments);
        }
        long rows = rows();
        require("observations", observations.length, (rows + environments) * observation.width());
        require("actions", actions.length, rows * action.width());
        require("masks", masks.length, rows * maskWidth);
        require("log-probabilities", logProbabilities.length, rows);
        require("rewards", rewards.length, rows);
        require("terminated", terminated.length, rows);
        require("truncated", truncated.length, rows);
        require("cut off", cutOff.length, (long) cuts() * observation.width());
        requireFinite("observations", observations);
        requireActions(action);
        requireMasks();
        requireFinite("log-probabilities", logProbabilities);
        requireFinite("rewards", rewards);
        requireFinite("cut off", cutOff);
    }

    private static void require(String part, long length, long wanted) {
        if (length != wanted) {
            throw new IllegalArgumentException(
                    "trajectory: " + part + ": must have " + wanted + " numbers, had " + length);
        }
    }

    /** Checks actions: whole numbers are indices from 0; those of a box may lie outside of its bounds, as drawn. */
    private void requireActions(Space space) {
        requireFinite("actions", actions);
        Space indices = space instanceof Discrete discrete ? new Discrete(discrete.n()) : space;
        for (int at = 0; !(space instanceof Box) && at < actions.length; at += space.width()) {
            if (!indices.contains(actions, at)) {
                throw new IllegalArgumentException("trajectory: actions: must be of " + indices + ", number " + at
                        + " was " + indices.text(actions, at));
            }
        }
    }

    private void requireMasks() {
        for (int i = 0; i < masks.length; i++) {
            if (masks[i] != 0 && masks[i] != 1) {
                throw new IllegalArgumentException(
                        "trajectory: masks: must be 0 or 1, number " + i + " was " + masks[i]);
            }
        }
    }

    private static void requireFinite(String part, float[] numbers) {
        for (int i = 0; i < numbers.length; i++) {
            if (!Float.isFinite(numbers[i])) {
                throw new IllegalArgumentException(
                        "trajectory: " + part + ": must be finite, number " + i + " was " + numbers[i]);
            }
        }
    }
}
