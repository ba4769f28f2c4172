package hocket.rl.actors;

import hocket.rl.envs.Environment;
import hocket.rl.random.Pcg64;

/** A source of good actions to imitate: a script, or a trained policy. */
@FunctionalInterface
public interface Expert {
    /**
     * Chooses an action.
     *
     * @param observation as the environment gives it
     * @param random the generator of stochastic choices
     * @param action takes the action, as the environment expects it
     */
    void act(float[] observation, Pcg64 random, float[] action);

    /**
     * Checks, before the first action, that this expert can act in an environment. By default every environment is
     * accepted.
     *
     * @param environment the environment, with discrete observations one-hot encoded
     * @throws IllegalArgumentException if it cannot act in that environment: {@code expert CartPoleBalancer: needs …}
     */
    default void require(Environment environment) {}
}
