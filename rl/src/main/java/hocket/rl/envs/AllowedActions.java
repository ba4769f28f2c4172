package hocket.rl.envs;

import hocket.rl.random.Pcg64;
import hocket.rl.spaces.Discrete;
import hocket.rl.spaces.MultiDiscrete;
import hocket.rl.spaces.Space;
import java.util.Arrays;

/** Actions that an environment allows. */
public final class AllowedActions {
    private static final float[] NONE = {};

    private AllowedActions() {}

    /** Samples an action uniformly, of those that the environment allows at its present step. */
    public static float[] sample(Environment environment, Pcg64 random) {
        float[] action = new float[environment.actions().width()];
        sample(environment.actions(), mask(environment), random, action);
        return action;
    }

    /**
     * Samples an action of a space uniformly, of those that a mask allows.
     *
     * @param mask 1 for each that is allowed, else 0; empty for all
     * @param action takes the action
     */
    public static void sample(Space space, float[] mask, Pcg64 random, float[] action) {
        if (mask.length == 0) {
            space.sample(random, action, 0);
            return;
        }
        int at = 0;
        for (int i = 0; i < action.length; i++) {
            action[i] = first(space) + index(mask, at, alternatives(space, i), random);
            at += alternatives(space, i);
        }
    }

    /** Returns whether the environment allows an action at its present step. */
    public static boolean isAllowed(Environment environment, float[] actions, int first) {
        Space space = environment.actions();
        float[] mask = mask(environment);
        boolean isAllowed = true;
        int at = 0;
        for (int i = 0; mask.length > 0 && i < space.width(); i++) {
            isAllowed &= mask[at + (int) actions[first + i] - first(space)] != 0;
            at += alternatives(space, i);
        }
        return isAllowed;
    }

    /** The mask of the next step; empty if the environment forbids nothing. */
    private static float[] mask(Environment environment) {
        if (!environment.masks()) {
            return NONE;
        }
        float[] mask = new float[environment.actions().maskWidth()];
        environment.mask(mask, 0);
        return mask;
    }

    private static int alternatives(Space space, int number) {
        return space instanceof MultiDiscrete several ? several.counts().get(number) : space.maskWidth();
    }

    private static int first(Space space) {
        return space instanceof Discrete discrete ? discrete.start() : 0;
    }

    /**
     * Allows all actions of each choice of which a mask allows none, as some environments' masks do at the end of an episode: it was
     * truncated there, so its last observation has a value.
     *
     * @param masks has the mask from {@code first} on
     * @param width of the mask; 0 for none
     */
    static void fillEmpty(Space space, float[] masks, int first, int width) {
        int at = first;
        for (int number = 0; at < first + width; number++) {
            int end = at + alternatives(space, number);
            boolean isEmpty = true;
            for (int i = at; i < end; i++) {
                isEmpty &= masks[i] == 0;
            }
            if (isEmpty) {
                Arrays.fill(masks, at, end, 1);
            }
            at = end;
        }
    }

    /**
     * Returns a uniformly random index, from 0, of those that a mask allows.
     *
     * @param masks 1 for each index that is allowed, else 0; at least one is allowed
     * @param at the place of index 0 in {@code masks}
     * @param count the number of indices
     */
    public static int index(float[] masks, int at, int count, Pcg64 random) {
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
