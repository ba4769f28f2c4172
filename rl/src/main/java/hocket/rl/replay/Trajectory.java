package hocket.rl.replay;

import hocket.rl.envs.Discrete;
import hocket.rl.envs.Space;
import java.util.List;

/**
 * What happened in T steps of E environments that stepped together, by one policy: all that a learner with other parameters
 * needs to learn from it. Numbers lie behind each other [time][environment], those of a row of w numbers together. Its arrays
 * are not copied: who makes one gives them away.
 *
 * <p>Environments begin the next episode at once, so the observation behind the last of an episode is the first of the next.
 * An episode that a time limit cut off would have gone on: what it was worth is the learner's judgement of the observation
 * that it ended in, which is kept beside ({@code cutOff}). One that was terminated at the same step counts as terminated.
 *
 * @param version of the policy that acted: how many updates the learner had made
 * @param steps T
 * @param environments E
 * @param observations before each step and behind the last, (T + 1, E, w)
 * @param actions as they were chosen, not yet fitted to the environment, (T, E, a)
 * @param logProbabilities of these under the policy that chose them, in nats, (T, E)
 * @param rewards of each step, (T, E)
 * @param terminated whose episode a step ended by its own rules, (T, E)
 * @param truncated whose episode a step ended from outside, and not by its own rules, (T, E)
 * @param cutOff the observations that truncated episodes ended in, in the order of their steps and environments, (k, w)
 * @param episodes that ended in it, in their order
 */
public record Trajectory(
        long version,
        int steps,
        int environments,
        float[] observations,
        float[] actions,
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
     * @param length its steps
     */
    public record Episode(double ret, int length) {}

    public Trajectory {
        episodes = List.copyOf(episodes);
    }

    /** Environment steps in it: T times E. */
    public int rows() {
        return steps * environments;
    }

    /** How many episodes a time limit cut off. */
    int cuts() {
        int cuts = 0;
        for (boolean cut : truncated) {
            cuts += cut ? 1 : 0;
        }
        return cuts;
    }

    /**
     * Looks whether it is one of so many steps in so many of these environments, with numbers that are finite.
     *
     * @throws IllegalArgumentException if it is not, naming the part
     */
    public void require(int wantedSteps, int wantedEnvironments, Space observation, Space action) {
        if (steps != wantedSteps || environments != wantedEnvironments) {
            throw new IllegalArgumentException("trajectory: must be " + wantedSteps + " steps of " + wantedEnvironments
                    + " environments, was " + steps + " of " + environments);
        }
        long rows = rows();
        require("observations", observations.length, (rows + environments) * observation.width());
        require("actions", actions.length, rows * action.width());
        require("log-probabilities", logProbabilities.length, rows);
        require("rewards", rewards.length, rows);
        require("terminated", terminated.length, rows);
        require("truncated", truncated.length, rows);
        require("cut off", cutOff.length, (long) cuts() * observation.width());
        requireFinite("observations", observations);
        requireActions(action);
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

    /** A discrete action is an index here, from 0; one of a box may lie outside of it, as it was drawn. */
    private void requireActions(Space space) {
        requireFinite("actions", actions);
        for (int i = 0; space instanceof Discrete discrete && i < actions.length; i++) {
            if (actions[i] != (int) actions[i] || actions[i] < 0 || actions[i] >= discrete.n()) {
                throw new IllegalArgumentException("trajectory: actions: must be whole numbers 0 to "
                        + (discrete.n() - 1) + ", number " + i + " was " + actions[i]);
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
