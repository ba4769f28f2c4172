package hocket.rl.envs;

import hocket.rl.random.Pcg64;
import hocket.rl.spaces.Discrete;
import hocket.rl.spaces.MultiDiscrete;
import hocket.rl.spaces.Space;

/** Actions at random, of those that an environment allows. */
public final class RandomActions {
    private RandomActions() {}

    /** Samples an action uniformly, of those that the environment allows at its present step. */
    public static float[] sample(Environment environment, Pcg64 random) {
        Space space = environment.actions();
        if (!environment.masks() || space.maskWidth() == 0) {
            return space.sample(random);
        }
        float[] mask = new float[space.maskWidth()];
        environment.mask(mask, 0);
        float[] action = new float[space.width()];
        int start = space instanceof Discrete discrete ? discrete.start() : 0;
        int at = 0;
        for (int i = 0; i < action.length; i++) {
            int count =
                    space instanceof MultiDiscrete several ? several.counts().get(i) : mask.length;
            action[i] = start + allowed(mask, at, count, random);
            at += count;
        }
        return action;
    }

    /**
     * Returns a uniformly random index, from 0, of those that a mask allows.
     *
     * @param masks 1 for each index that is allowed, else 0; at least one is allowed
     * @param at the place of index 0 in {@code masks}
     * @param count the number of indices
     */
    public static int allowed(float[] masks, int at, int count, Pcg64 random) {
        int allowed = 0;
        for (int i = 0; i < count; i++) {
            allowed += (int) masks[at + i];
        }
        int index = -1;
        for (long left = random.integers(0, allowed); left >= 0; left -= (long) masks[at + index]) {
            index++;
        }
        return index;
    }
}
