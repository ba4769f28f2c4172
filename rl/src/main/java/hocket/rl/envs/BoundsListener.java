package hocket.rl.envs;

import java.util.function.Supplier;

/**
 * An environment or game whose observations of real numbers may leave the bounds of their space, as those of Gymnasium may, which
 * warns of it. Others are refused then.
 */
public interface BoundsListener {
    /**
     * Called after each observation outside its bounds, by the check of environments that are used.
     *
     * @param message names environment, episode, step, space and observation
     */
    void leftBounds(Supplier<String> message);
}
