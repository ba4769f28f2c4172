package hocket.rl.envs;

import java.util.Arrays;
import java.util.List;

/** Whole numbers that are observed as places, one of which is 1 and the others 0, for each of them. */
public final class OneHot extends ForwardingEnvironment {
    private final int[] counts;
    private final int[] starts;
    private final float[] numbers;
    private final Box observations;

    /** @throws IllegalArgumentException if observations are neither discrete nor multi-discrete */
    public OneHot(Environment inner) {
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
                    inner.name() + ": only whole numbers become places, observed is " + space);
        }
        numbers = new float[counts.length];
        observations = Box.of(Arrays.stream(counts).sum(), 0, 1);
    }

    /** The environment, its observations as places if they are whole numbers. */
    public static Environment ofNumbers(Environment environment) {
        Space space = environment.observations();
        return space instanceof Discrete || space instanceof MultiDiscrete ? new OneHot(environment) : environment;
    }

    @Override
    public Space observations() {
        return observations;
    }

    @Override
    public void observe(float[] into, int at) {
        Arrays.fill(numbers, Float.NaN); // what is not written is found
        inner().observe(numbers, 0);
        Space space = inner().observations();
        if (!space.contains(numbers, 0)) {
            throw new IllegalStateException(
                    name() + ": an observation must be of " + space + ", was " + Points.text(space, numbers, 0));
        }
        Arrays.fill(into, at, at + observations.width(), 0);
        int from = at;
        for (int i = 0; i < counts.length; i++) {
            into[from + (int) numbers[i] - starts[i]] = 1;
            from += counts[i];
        }
    }
}
