package hocket.rl.envs;

/** A listener that is called at the end of each episode. */
@FunctionalInterface
public interface EpisodeListener {
    /**
     * Called when an episode has ended.
     *
     * @param environment the environment's index in the vector, from 0
     * @param ret the sum of its rewards as the environment gave them
     * @param length the number of its steps
     */
    void ended(int environment, double ret, int length);
}
