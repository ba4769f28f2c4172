package hocket.rl.envs;

import hocket.rl.random.Pcg64;
import hocket.rl.spaces.Discrete;
import hocket.rl.spaces.MultiDiscrete;
import hocket.rl.spaces.Space;

/** Actions at random, of those that an environment allows. */
public final class RandomActions {
    private RandomActions() {}

    /** Samples an action; of one that the environment forbids, takes the next that it allows. */
    public static float[] sample(Environment environment, Pcg64 random) {
        Space space = environment.actions();
        float[] action = space.sample(random);
        if (!environment.masks() || space.maskWidth() == 0) {
            return action;
        }
        float[] mask = new float[space.maskWidth()];
        environment.mask(mask, 0);
        int start = space instanceof Discrete discrete ? discrete.start() : 0;
        int at = 0;
        for (int i = 0; i < action.length; i++) {
            int count =
                    space instanceof MultiDiscrete several ? several.counts().get(i) : mask.length;
            int chosen = (int) action[i] - start;
            for (int tried = 0; tried < count && mask[at + chosen] == 0; tried++) {
                chosen = (chosen + 1) % count;
            }
            action[i] = chosen + start;
            at += count;
        }
        return action;
    }
}
