package hocket.rl.returns;

import hocket.schedulers.state.State;
import hocket.schedulers.state.Stateful;

/** An estimator of advantages over a rollout, such as {@link Gae}. */
@FunctionalInterface
public interface AdvantageEstimator extends Stateful {
    /**
     * Called before a rollout with the environments whose first row begins an episode, for estimators that need whole
     * episodes.
     *
     * @param first one for each environment, valid during the call
     */
    default void begins(boolean[] first) {}

    /**
     * Computes advantages and returns of a rollout; they may overwrite rewards and values. Every array has a number for
     * each step of each environment, where {@link RolloutLayout#at} says, but for {@code lastValues}.
     *
     * @param rewards of the steps
     * @param values of the observations before each step; 0 without a critic
     * @param terminated whether the episode ended by itself with the step
     * @param truncated whether it was cut off after the step
     * @param finalValues the values of the observations that truncated episodes ended in
     * @param lastValues the value of the observation after the last step, for each environment
     * @param advantages takes the advantages
     * @param returns takes the critic's targets
     */
    void advantages(
            RolloutLayout layout,
            float[] rewards,
            float[] values,
            boolean[] terminated,
            boolean[] truncated,
            float[] finalValues,
            float[] lastValues,
            float[] advantages,
            float[] returns);

    /** An estimator has no state from rollout to rollout, unless it says so. */
    @Override
    default State save() {
        return State.empty();
    }

    @Override
    default void restore(State state) {}
}
