package hocket.rl.returns;

import hocket.schedulers.settings.Limits;

/**
 * The layout of a rollout in a flat array: the number of step t of environment e is at {@code t·stepStride +
 * e·environmentStride}.
 *
 * @param steps T, at least 1
 * @param environments E, at least 1
 * @param stepStride elements from one step to the next
 * @param environmentStride elements from one environment to the next
 */
public record RolloutLayout(int steps, int environments, int stepStride, int environmentStride) {
    /**
     * @throws IllegalArgumentException if a number is below 1, two elements share an index, or an index is beyond 2^31
     *     - 1
     */
    public RolloutLayout {
        Limits.atLeast(1, "layout: steps", steps);
        Limits.atLeast(1, "layout: environments", environments);
        Limits.atLeast(1, "layout: step stride", stepStride);
        Limits.atLeast(1, "layout: environment stride", environmentStride);
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

    /** The layout [time][environment], in which rollouts are collected: the environments of a step are adjacent. */
    public static RolloutLayout timeMajor(int steps, int environments) {
        return new RolloutLayout(steps, environments, environments, 1);
    }

    /** The index of a step of an environment. */
    public int at(int step, int environment) {
        return step * stepStride + environment * environmentStride;
    }

    /** The minimum length of an array of this layout. */
    public int length() {
        return at(steps - 1, environments - 1) + 1;
    }

    /**
     * Checks the length of an array. The message is built only on failure, so a successful check allocates nothing.
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
        ReturnArguments.length(name, length, environments, "one for each environment");
    }
}
