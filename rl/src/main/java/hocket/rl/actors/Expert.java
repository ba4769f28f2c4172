package hocket.rl.actors;

import hocket.rl.envs.Environment;
import hocket.rl.envs.Pcg64;

/** Someone who knows what to do: a script, or a {@link PolicyExpert policy} that has learnt. */
@FunctionalInterface
public interface Expert {
    /**
     * What to do now.
     *
     * @param observation as the environment gives it
     * @param random drawn from where there is chance
     * @param action takes the action, as the environment takes it
     */
    void act(float[] observation, Pcg64 random, float[] action);

    /**
     * Looks whether it knows its way about an environment, before the first action; one that says nothing is for all.
     *
     * @param environment with numbered observations as a number for each that there may be, 1 or 0
     * @throws IllegalArgumentException if it is not for that environment: {@code expert CartPoleBalancer: needs …}
     */
    default void require(Environment environment) {}
}
