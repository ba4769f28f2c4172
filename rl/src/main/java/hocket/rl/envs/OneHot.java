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

    @Override
    public Space observations() {
        return observations;
    }

    @Override
    public void observe(float[] into, int at) {
        inner().observe(numbers, 0);
        Arrays.fill(into, at, at + observations.width(), 0);
        int from = at;
        for (int i = 0; i < counts.length; i++) {
            into[from + (int) numbers[i] - starts[i]] = 1;
            from += counts[i];
        }
    }
}
