package hocket.rl.returns;

/**
 * Where a rollout's numbers are in a flat array: that of step t of environment e at {@code t·stepStride +
 * e·environmentStride}.
 *
 * @param steps T, at least 1
 * @param environments E, at least 1
 * @param stepStride elements from one step to the next
 * @param environmentStride elements from one environment to the next
 */
public record Layout(int steps, int environments, int stepStride, int environmentStride) {
    /** @throws IllegalArgumentException if anything is below 1, two numbers share a place, or a place is beyond 2^31 - 1 */
    public Layout {
        Require.atLeastOne("layout: steps", steps);
        Require.atLeastOne("layout: environments", environments);
        Require.atLeastOne("layout: step stride", stepStride);
        Require.atLeastOne("layout: environment stride", environmentStride);
        long lastStep = (long) (steps - 1) * stepStride;
        long lastEnvironment = (long) (environments - 1) * environmentStride;
        if (steps > 1 && environments > 1 && lastEnvironment >= stepStride && lastStep >= environmentStride) {
            throw new IllegalArgumentException("layout: " + steps + " steps " + stepStride + " apart and "
                    + environments + " environments " + environmentStride + " apart overlap");
        }
        if (lastStep + lastEnvironment >= Integer.MAX_VALUE) {
            throw new IllegalArgumentException("layout: " + steps + " steps of " + environments
                    + " environments need an array of at most " + Integer.MAX_VALUE + " elements, this one "
                    + (lastStep + lastEnvironment + 1));
        }
    }

    /** [time][environment]: all environments of a step beside each other, as rollouts are collected. */
    public static Layout timeMajor(int steps, int environments) {
        return new Layout(steps, environments, environments, 1);
    }

    /** [environment][time]: all steps of an environment beside each other. */
    public static Layout environmentMajor(int steps, int environments) {
        return new Layout(steps, environments, 1, steps);
    }

    /** One environment. */
    public static Layout single(int steps) {
        return timeMajor(steps, 1);
    }

    /** Where the number of a step of an environment is. */
    public int at(int step, int environment) {
        return step * stepStride + environment * environmentStride;
    }

    /** The least length of an array of this layout. */
    public int length() {
        return at(steps - 1, environments - 1) + 1;
    }

    /**
     * The names are put together only where there is something to say: a text a call would be garbage.
     *
     * @throws IllegalArgumentException if an array is too short for this layout
     */
    void require(String function, String array, int length) {
        if (length < length()) {
            throw new IllegalArgumentException(function + ": " + array + ": must have at least " + length()
                    + " elements, for " + steps + " steps of " + environments + " environments, had " + length);
        }
    }

    /** @throws IllegalArgumentException if there is not one number for each environment */
    void requireEach(String name, int length) {
        Require.length(name, length, environments, "one for each environment");
    }
}
