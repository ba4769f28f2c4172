package hocket.rl.actors;

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
}
