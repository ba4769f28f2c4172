package hocket.rl.random;

import hocket.schedulers.state.State;
import hocket.schedulers.state.Stateful;
import hocket.scopes.Stream;

/**
 * NumPy's default random number generator, bit for bit: PCG XSL-RR 128/64 (M. O'Neill 2014) started by a {@link
 * SeedSequence}, and the draws of {@code numpy.random.Generator} in NumPy 2. Built-in environments draw from it, so a
 * seed gives the same episodes as in Gymnasium; everything else in Hocket draws from {@link Stream}s.
 *
 * <p>A draw allocates nothing. Not safe for several threads at once.
 */
public final class Pcg64 implements Stateful {
    private static final long MULTIPLIER_HIGH = 2549297995355413924L;
    private static final long MULTIPLIER_LOW = 4865540595714422341L;
    private static final double UNIT = 0x1p-53;
    private static final long INT = 0xffffffffL;

    private long high;
    private long low;
    private long incrementHigh;
    private long incrementLow;

    /** The upper half of a word whose lower half was drawn as 32 bits: the next 32-bit draw. */
    private int half;

    private boolean hasHalf;

    private Pcg64() {}

    /**
     * Makes the generator of a seed: {@code numpy.random.default_rng(seed)}, as Gymnasium's {@code reset(seed=seed)}.
     *
     * @throws IllegalArgumentException if the seed is below 0
     */
    public static Pcg64 of(long seed) {
        return of(SeedSequence.of(seed));
    }

    /** Makes the generator of a seed sequence. */
    public static Pcg64 of(SeedSequence seed) {
        long[] words = seed.longs(4);
        Pcg64 generator = new Pcg64();
        generator.incrementHigh = words[2] << 1 | words[3] >>> 63;
        generator.incrementLow = words[3] << 1 | 1;
        generator.advance();
        long sum = generator.low + words[1];
        generator.high += words[0] + (Long.compareUnsigned(sum, words[1]) < 0 ? 1 : 0);
        generator.low = sum;
        generator.advance();
        return generator;
    }

    /**
     * Makes a generator from a saved state.
     *
     * @throws IllegalArgumentException if the state is not a generator's
     */
    public static Pcg64 of(State saved) {
        Pcg64 generator = new Pcg64();
        generator.restore(saved);
        return generator;
    }

    private void advance() {
        long product = low * MULTIPLIER_LOW;
        long carried = multiplyHigh(low, MULTIPLIER_LOW) + high * MULTIPLIER_LOW + low * MULTIPLIER_HIGH;
        low = product + incrementLow;
        high = carried + incrementHigh + (Long.compareUnsigned(low, product) < 0 ? 1 : 0);
    }

    /** The upper 64 bits of an unsigned product; in the JDK from version 18 on. */
    private static long multiplyHigh(long a, long b) {
        return Math.multiplyHigh(a, b) + (a >> 63 & b) + (b >> 63 & a);
    }

    /** Draws 64 bits. */
    public long nextLong() {
        advance();
        return Long.rotateRight(high ^ low, (int) (high >>> 58));
    }

    /** Draws 32 bits: the lower half of a word, then its upper half, which is kept across other draws. */
    public int nextInt() {
        if (hasHalf) {
            hasHalf = false;
            return half;
        }
        long word = nextLong();
        hasHalf = true;
        half = (int) (word >>> 32);
        return (int) word;
    }

    /** Draws a uniform number in [0, 1), a multiple of 2^-53. */
    public double random() {
        return (nextLong() >>> 11) * UNIT;
    }

    /** Draws a uniform number: {@code low + (high - low) u} with u in [0, 1). */
    public double uniform(double from, double to) {
        return from + (to - from) * random();
    }

    /**
     * Draws a whole number from {@code from} to below {@code to}, without bias (Lemire 2019). A try takes 32 bits where
     * the range is at most 2^32 wide and 64 otherwise; a range of one number takes none.
     *
     * @throws IllegalArgumentException if the range is empty
     */
    public long integers(long from, long to) {
        if (from >= to) {
            throw new IllegalArgumentException(
                    "whole numbers from " + from + " on and below " + to + ": there is none");
        }
        long most = to - 1 - from;
        if (most == 0) {
            return from;
        }
        return from + (Long.compareUnsigned(most, INT) <= 0 ? below32(most) : below64(most));
    }

    private long below32(long most) {
        if (most == INT) {
            return nextInt() & INT;
        }
        long count = most + 1;
        long product = (nextInt() & INT) * count;
        if ((product & INT) < count) {
            long threshold = (INT - most) % count;
            while ((product & INT) < threshold) {
                product = (nextInt() & INT) * count;
            }
        }
        return product >>> 32;
    }

    private long below64(long most) {
        if (most == -1) {
            return nextLong();
        }
        long count = most + 1;
        long word = nextLong();
        if (Long.compareUnsigned(word * count, count) < 0) {
            long threshold = Long.remainderUnsigned(-1 - most, count);
            while (Long.compareUnsigned(word * count, threshold) < 0) {
                word = nextLong();
            }
        }
        return multiplyHigh(word, count);
    }

    /** Draws a uniform index below {@code count}: {@code integers(0, count)}. */
    public int choice(int count) {
        return (int) integers(0, count);
    }

    /**
     * Draws from the standard normal distribution by the ziggurat method of Marsaglia and Tsang (2000): NumPy's {@code
     * standard_normal} bit for bit, where NumPy's C library has the {@code log1p} of fdlibm, as {@link
     * StrictMath#log1p}. Tested with NumPy 2.4.6 and glibc 2.36: 212 million draws of 212 seeds. With another {@code
     * log1p} the last bit of some numbers beyond ±3.65 (1 of 4,000) may differ.
     */
    public double standardNormal() {
        while (true) {
            long word = nextLong();
            int strip = (int) word & 0xff;
            long magnitude = word >>> 9 & 0x000f_ffff_ffff_ffffL;
            double x = magnitude * Ziggurat.NORMAL_WIDTHS[strip];
            x = (word & 0x100) != 0 ? -x : x;
            if (magnitude < Ziggurat.NORMAL_THRESHOLDS[strip]) {
                return x;
            }
            if (strip == 0) {
                return normalTail((magnitude & 0x100) != 0);
            }
            double height = Ziggurat.NORMAL_HEIGHTS[strip];
            double top = Ziggurat.NORMAL_HEIGHTS[strip - 1];
            if ((top - height) * random() + height < StrictMath.exp(-0.5 * x * x)) {
                return x;
            }
        }
    }

    private double normalTail(boolean negative) {
        while (true) {
            double x = -Ziggurat.NORMAL_TAIL_INVERSE * StrictMath.log1p(-random());
            double y = -StrictMath.log1p(-random());
            if (y + y > x * x) {
                return negative ? -(Ziggurat.NORMAL_TAIL + x) : Ziggurat.NORMAL_TAIL + x;
            }
        }
    }

    /** Draws from the exponential distribution of mean 1, by the ziggurat method. */
    public double standardExponential() {
        while (true) {
            long word = nextLong() >>> 3;
            int strip = (int) word & 0xff;
            long magnitude = word >>> 8;
            double x = magnitude * Ziggurat.EXPONENTIAL_WIDTHS[strip];
            if (magnitude < Ziggurat.EXPONENTIAL_THRESHOLDS[strip]) {
                return x;
            }
            if (strip == 0) {
                return Ziggurat.EXPONENTIAL_TAIL - StrictMath.log1p(-random());
            }
            double height = Ziggurat.EXPONENTIAL_HEIGHTS[strip];
            if ((Ziggurat.EXPONENTIAL_HEIGHTS[strip - 1] - height) * random() + height < StrictMath.exp(-x)) {
                return x;
            }
        }
    }

    /** Shuffles in place by Fisher and Yates from the end; every order is equally likely. */
    public void shuffle(int[] items) {
        for (int i = items.length - 1; i > 0; i--) {
            int other = atMost(i);
            int item = items[i];
            items[i] = items[other];
            items[other] = item;
        }
    }

    /** Draws a whole number from 0 to {@code most} by rejection under the narrowest bit mask, as NumPy's shuffles. */
    private int atMost(int most) {
        int mask = -1 >>> Integer.numberOfLeadingZeros(most);
        int value = nextInt() & mask;
        while (value > most) {
            value = nextInt() & mask;
        }
        return value;
    }

    @Override
    public State save() {
        return State.empty()
                .with("high", high)
                .with("low", low)
                .with("incrementHigh", incrementHigh)
                .with("incrementLow", incrementLow)
                .with("half", half)
                .with("hasHalf", hasHalf ? 1 : 0);
    }

    @Override
    public void restore(State state) {
        long savedHigh = state.whole("high");
        long savedLow = state.whole("low");
        long savedIncrementHigh = state.whole("incrementHigh");
        long savedIncrementLow = state.whole("incrementLow");
        long savedHalf = state.whole("half");
        long savedHasHalf = state.whole("hasHalf");
        if ((savedIncrementLow & 1) == 0) {
            throw new IllegalArgumentException(
                    "a generator's increment must be odd, was saved as ..." + savedIncrementLow);
        }
        high = savedHigh;
        low = savedLow;
        incrementHigh = savedIncrementHigh;
        incrementLow = savedIncrementLow;
        half = (int) savedHalf;
        hasHalf = savedHasHalf != 0;
    }
}
