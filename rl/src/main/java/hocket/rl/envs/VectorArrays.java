package hocket.rl.envs;

import hocket.rl.spaces.Space;

/**
 * The numbers of a {@link VectorEnvironment}, of all rows one after the other: row i's observation begins at {@code i} times the
 * width of an observation, its action at {@code i} times that of an action. A row is an environment, or an agent of one.
 *
 * @param observations the current ones
 * @param finalObservations the last ones of episodes; valid where the last step ended one
 * @param actions of the next step, which the caller fills
 * @param masks which actions the next step may take, one {@link Environment#mask} after the other; empty if none is ever forbidden
 * @param finalMasks the masks at the last observations of episodes; valid where the last step truncated one
 * @param rewards of the last step
 * @param terminated whether the last step terminated a row's episode
 * @param truncated whether the last step truncated it
 * @param episodeStarts whether a row's observation is the first of an episode
 */
public record VectorArrays(
        float[] observations,
        float[] finalObservations,
        float[] actions,
        float[] masks,
        float[] finalMasks,
        double[] rewards,
        boolean[] terminated,
        boolean[] truncated,
        boolean[] episodeStarts) {
    /**
     * Makes arrays of zeros.
     *
     * @param observation the space of a row's observation
     * @param action the space of a row's action
     * @param maskWidth numbers of a row's mask, 0 if no action is ever forbidden
     */
    public static VectorArrays of(int rows, Space observation, Space action, int maskWidth) {
        return new VectorArrays(
                new float[rows * observation.width()],
                new float[rows * observation.width()],
                new float[rows * action.width()],
                new float[rows * maskWidth],
                new float[rows * maskWidth],
                new double[rows],
                new boolean[rows],
                new boolean[rows],
                new boolean[rows]);
    }
}
