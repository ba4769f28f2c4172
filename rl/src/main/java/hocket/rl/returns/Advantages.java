package hocket.rl.returns;

/** What the steps of a rollout were worth, compared with what was expected: {@link Gae} and what stands in its place. */
@FunctionalInterface
public interface Advantages {
    /**
     * Says before a rollout whose first row begins an episode; of use to what looks at whole episodes.
     *
     * @param first one for each environment, valid during the call
     */
    default void begins(boolean[] first) {}

    /**
     * Advantages and returns of a rollout; they may be written over rewards and values. Every array has a number for each
     * step of each environment, where {@link Layout#at} says, but for {@code lastValues}.
     *
     * @param rewards of the steps
     * @param values of the observations before each step; 0 where nothing judges them
     * @param terminated whether the episode ended by itself with the step
     * @param truncated whether it was cut off after the step
     * @param finalValues the values of the observations that truncated episodes ended in
     * @param lastValues the value of the observation after the last step, for each environment
     * @param advantages takes the advantages
     * @param returns takes what a critic is drawn to
     */
    void advantages(
            Layout layout,
            float[] rewards,
            float[] values,
            boolean[] terminated,
            boolean[] truncated,
            float[] finalValues,
            float[] lastValues,
            float[] advantages,
            float[] returns);
}
