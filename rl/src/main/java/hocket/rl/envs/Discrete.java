package hocket.rl.envs;

/**
 * One of {@code n} whole numbers, from {@code start} on.
 *
 * @param n how many
 * @param start the least
 */
public record Discrete(int n, int start) implements Space {
    /** Beyond, not every whole number is a float. */
    private static final int LARGEST = 1 << 24;

    /** @throws IllegalArgumentException if there is no number, or one that a float cannot hold */
    public Discrete {
        if (n < 1) {
            throw new IllegalArgumentException("a discrete space must have at least 1 number, was " + n);
        }
        if (start < -LARGEST || (long) start + n - 1 > LARGEST) {
            throw new IllegalArgumentException("a discrete space's numbers must be -16777216 to 16777216, were " + start
                    + " to " + ((long) start + n - 1));
        }
    }

    /** The whole numbers from 0 on and below {@code n}. */
    public Discrete(int n) {
        this(n, 0);
    }

    @Override
    public int width() {
        return 1;
    }

    @Override
    public void sample(Pcg64 random, float[] into, int at) {
        into[at] = start + random.integers(0, n);
    }

    @Override
    public boolean contains(float[] values, int at) {
        int value = (int) values[at];
        return value == values[at] && value >= start && value < start + n;
    }

    /** For example {@code Discrete(5)} or {@code Discrete(3 from -1)}. */
    @Override
    public String toString() {
        return "Discrete(" + n + (start == 0 ? ")" : " from " + start + ")");
    }
}
