package hocket.rl.spaces;

import hocket.rl.random.Pcg64;

/**
 * The space of arrays of {@code n} numbers that are 0 or 1.
 *
 * @param n the number of elements
 */
public record MultiBinary(int n) implements Space {
    /** @throws IllegalArgumentException if n is below 1 */
    public MultiBinary {
        if (n < 1) {
            throw new IllegalArgumentException("a multi-binary space must have at least 1 number, was " + n);
        }
    }

    @Override
    public boolean isBytes() {
        return true;
    }

    @Override
    public int width() {
        return n;
    }

    /**
     * Draws the top bit of each byte, four bytes of each 32 random bits from the lowest on, as NumPy's 8-bit integers.
     */
    @Override
    public void sample(Pcg64 random, float[] into, int at) {
        int bytes = 0;
        for (int i = 0; i < n; i++) {
            bytes = i % Integer.BYTES == 0 ? random.nextInt() : bytes >>> Byte.SIZE;
            into[at + i] = bytes >>> 7 & 1;
        }
    }

    @Override
    public boolean contains(float[] values, int at) {
        for (int i = 0; i < n; i++) {
            if (values[at + i] != 0 && values[at + i] != 1) {
                return false;
            }
        }
        return true;
    }

    /** For example {@code MultiBinary(4)}. */
    @Override
    public String toString() {
        return "MultiBinary(" + n + ")";
    }
}
