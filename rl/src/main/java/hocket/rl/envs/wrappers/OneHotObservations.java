package hocket.rl.envs.wrappers;

import hocket.rl.envs.Environment;
import hocket.rl.envs.ForwardingEnvironment;
import hocket.rl.spaces.Box;
import hocket.rl.spaces.Discrete;
import hocket.rl.spaces.MultiDiscrete;
import hocket.rl.spaces.Space;
import java.util.Arrays;
import java.util.List;

/** A wrapper that encodes each whole number of an observation as a one-hot vector. */
public final class OneHotObservations extends ForwardingEnvironment {
    private final int[] counts;
    private final int[] starts;
    private final float[] numbers;
    private final Box observations;

    /** @throws IllegalArgumentException if observations are neither discrete nor multi-discrete */
    public OneHotObservations(Environment inner) {
        super(inner);
        Space space = inner.observations();
        if (space instanceof Discrete discrete) {
            counts = new int[] {discrete.n()};
            starts = new int[] {discrete.start()};
        } else if (space instanceof MultiDiscrete multi) {
            List<Integer> all = multi.counts();
            counts = all.stream().mapToInt(Integer::intValue).toArray();
            starts = new int[counts.length];
        } else {
            throw new IllegalArgumentException(
                    inner.name() + ": only whole numbers can be one-hot encoded, observations are " + space);
        }
        numbers = new float[counts.length];
        observations = Box.of(Arrays.stream(counts).sum(), 0, 1).whole();
    }

    /** Wraps an environment if its observations are whole numbers; returns others as they are. */
    public static Environment ofWholeNumbers(Environment environment) {
        Space space = environment.observations();
        return space instanceof Discrete || space instanceof MultiDiscrete
                ? new OneHotObservations(environment)
                : environment;
    }

    @Override
    public Space observations() {
        return observations;
    }

    @Override
    public void observe(float[] into, int at) {
        Arrays.fill(numbers, Float.NaN); // marks elements that are not written
        inner().observe(numbers, 0);
        Space space = inner().observations();
        if (!space.contains(numbers, 0)) {
            throw new IllegalStateException(
                    name() + ": an observation must be of " + space + ", was " + space.text(numbers, 0));
        }
        Arrays.fill(into, at, at + observations.width(), 0);
        int from = at;
        for (int i = 0; i < counts.length; i++) {
            into[from + (int) numbers[i] - starts[i]] = 1;
            from += counts[i];
        }
    }
}
