package hocket.rl.random;

import hocket.schedulers.state.State;
import hocket.schedulers.state.Stateful;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;

/**
 * NumPy's legacy random number generator, {@code numpy.random.RandomState}, bit for bit: the Mersenne twister MT19937
 * (Matsumoto and Nishimura 1998) with the draws of {@code rand} and {@code randint}.
 *
 * <p>A draw allocates nothing. Not safe for several threads at once.
 */
public final class Mt19937 implements Stateful {
    private static final int LENGTH = 624;
    private static final int DISTANCE = 397;
    private static final int TOP_BIT = 0x80000000;
    private static final int MATRIX = 0x9908b0df;
    private static final long LARGEST_SEED = 0xffffffffL;

    private final int[] words = new int[LENGTH];
    private int position = LENGTH;

    private Mt19937() {}

    /**
     * Makes the generator of {@code RandomState(seed)}.
     *
     * @throws IllegalArgumentException if the seed is not 0 to 2^32 - 1
     */
    public static Mt19937 of(long seed) {
        if (seed < 0 || seed > LARGEST_SEED) {
            throw new IllegalArgumentException("a seed of MT19937 must be 0 to " + LARGEST_SEED + ", was " + seed);
        }
        Mt19937 generator = new Mt19937();
        int[] words = generator.words;
        words[0] = (int) seed;
        for (int i = 1; i < LENGTH; i++) {
            words[i] = 1812433253 * (words[i - 1] ^ words[i - 1] >>> 30) + i;
        }
        return generator;
    }

    /**
     * Makes a generator from a saved state.
     *
     * @throws IllegalArgumentException if the state is not a generator's
     */
    public static Mt19937 of(State saved) {
        Mt19937 generator = new Mt19937();
        generator.restore(saved);
        return generator;
    }

    /** Draws 32 bits. */
    public int nextInt() {
        if (position == LENGTH) {
            renew();
        }
        int word = words[position++];
        word ^= word >>> 11;
        word ^= word << 7 & 0x9d2c5680;
        word ^= word << 15 & 0xefc60000;
        return word ^ word >>> 18;
    }

    private void renew() {
        for (int i = 0; i < LENGTH; i++) {
            int joined = words[i] & TOP_BIT | words[(i + 1) % LENGTH] & ~TOP_BIT;
            words[i] = words[(i + DISTANCE) % LENGTH] ^ joined >>> 1 ^ ((joined & 1) == 0 ? 0 : MATRIX);
        }
        position = 0;
    }

    /** Draws a uniform number in [0, 1), a multiple of 2^-53: {@code rand()}. */
    public double random() {
        long high = nextInt() >>> 5;
        long low = nextInt() >>> 6;
        return (high << 26 | low) * 0x1p-53;
    }

    /**
     * Draws a whole number from {@code from} to below {@code to} by rejection under the narrowest bit mask: {@code
     * randint(from, to)}. A range of one number draws nothing.
     *
     * @throws IllegalArgumentException if the range is empty
     */
    public int integers(int from, int to) {
        if (from >= to) {
            throw new IllegalArgumentException(
                    "whole numbers from " + from + " on and below " + to + ": there is none");
        }
        int most = to - 1 - from;
        if (most == 0) {
            return from;
        }
        int mask = -1 >>> Integer.numberOfLeadingZeros(most);
        int value = nextInt() & mask;
        while (Integer.compareUnsigned(value, most) > 0) {
            value = nextInt() & mask;
        }
        return from + value;
    }

    @Override
    public State save() {
        long[] saved = new long[LENGTH];
        for (int i = 0; i < LENGTH; i++) {
            saved[i] = Integer.toUnsignedLong(words[i]);
        }
        return State.empty().with("words", Tensor.of(Shape.of(LENGTH), saved)).with("position", position);
    }

    @Override
    public void restore(State state) {
        double[] savedWords = state.tensor("words").doubles();
        long savedPosition = state.whole("position");
        if (savedWords.length != LENGTH || savedPosition < 0 || savedPosition > LENGTH) {
            throw new IllegalArgumentException("a generator MT19937 must be saved as " + LENGTH
                    + " words and a position among them, was saved as " + savedWords.length + " words and position "
                    + savedPosition);
        }
        for (int i = 0; i < LENGTH; i++) {
            words[i] = (int) (long) savedWords[i];
        }
        position = (int) savedPosition;
    }
}
