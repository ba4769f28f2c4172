package hocket.rl.spaces;

import hocket.rl.random.Pcg64;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;

/**
 * The space of {@code n} whole numbers from {@code start} on.
 *
 * @param n the number of values
 * @param start the smallest value
 */
public record Discrete(int n, int start) implements Space {
    /** The largest whole number below which every whole number is a float. */
    private static final int LARGEST = 1 << 24;

    /** @throws IllegalArgumentException if n is below 1, or a value cannot be held by a float */
    public Discrete {
        if (n < 1) {
            throw new IllegalArgumentException("a discrete space must have at least 1 number, was " + n);
        }
        if (start < -LARGEST || (long) start + n - 1 > LARGEST) {
            throw new IllegalArgumentException("a discrete space's numbers must be -16777216 to 16777216, were " + start
                    + " to " + ((long) start + n - 1));
        }
    }

    /** The space of whole numbers from 0 to {@code n - 1}. */
    public Discrete(int n) {
        this(n, 0);
    }

    @Override
    public int width() {
        return 1;
    }

    @Override
    public Shape shape() {
        return Shape.of();
    }

    @Override
    public int maskWidth() {
        return n;
    }

    @Override
    public ElementType type() {
        return ElementType.INT64;
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

    @Override
    public String text(float[] values, int at) {
        return values[at] == (int) values[at] ? Integer.toString((int) values[at]) : Float.toString(values[at]);
    }

    /** For example {@code Discrete(5)} or {@code Discrete(3 from -1)}. */
    @Override
    public String toString() {
        return "Discrete(" + n + (start == 0 ? ")" : " from " + start + ")");
    }
}
