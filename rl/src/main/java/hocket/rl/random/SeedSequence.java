package hocket.rl.random;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Expands a seed to the number of bits that a generator needs: NumPy's {@code SeedSequence} with its pool of 128 bits
 * (after M. O'Neill, "Developing a seed_seq Alternative", 2015). Spawned children are independent of their parent and
 * of each other. Immutable: children are asked for by index.
 */
public final class SeedSequence {
    private static final int POOL = 4;
    private static final int INIT_A = 0x43b0d7e5;
    private static final int MULT_A = 0x931e8875;
    private static final int INIT_B = 0x8b51f9dd;
    private static final int MULT_B = 0x58f38ded;
    private static final int MIX_LEFT = 0xca01f9dd;
    private static final int MIX_RIGHT = 0x4973f715;

    private final int[] entropy;
    private final int[] spawnKey;
    private final int[] pool = new int[POOL];
    private int hash = INIT_A;

    private SeedSequence(int[] entropy, int... spawnKey) {
        this.entropy = entropy;
        this.spawnKey = spawnKey;
        mix(assembled());
    }

    /**
     * Makes the sequence of a seed.
     *
     * @throws IllegalArgumentException if the seed is below 0
     */
    public static SeedSequence of(long seed) {
        return of(BigInteger.valueOf(seed));
    }

    /**
     * Makes the sequence of a seed of any length.
     *
     * @throws IllegalArgumentException if the seed is below 0
     */
    public static SeedSequence of(BigInteger seed) {
        if (seed.signum() < 0) {
            throw new IllegalArgumentException("a seed must be at least 0, was " + seed);
        }
        int words = Math.max(1, (seed.bitLength() + Integer.SIZE - 1) / Integer.SIZE);
        return new SeedSequence(IntStream.range(0, words)
                .map(i -> seed.shiftRight(i * Integer.SIZE).intValue())
                .toArray());
    }

    /** A child by its index from 0, as of NumPy's {@code spawn}. */
    public SeedSequence child(int index) {
        if (index < 0) {
            throw new IllegalArgumentException("a seed's children are counted from 0, was " + index);
        }
        int[] key = Arrays.copyOf(spawnKey, spawnKey.length + 1);
        key[spawnKey.length] = index;
        return new SeedSequence(entropy, key);
    }

    /** Generates 32-bit words to initialise a generator. */
    public int[] ints(int count) {
        int[] words = new int[count];
        int constant = INIT_B;
        for (int i = 0; i < count; i++) {
            int word = pool[i % POOL] ^ constant;
            constant *= MULT_B;
            word *= constant;
            words[i] = word ^ word >>> 16;
        }
        return words;
    }

    /** Generates 64-bit words to initialise a generator. */
    public long[] longs(int count) {
        int[] halves = ints(2 * count);
        long[] words = new long[count];
        for (int i = 0; i < count; i++) {
            words[i] = (long) halves[2 * i + 1] << 32 | Integer.toUnsignedLong(halves[2 * i]);
        }
        return words;
    }

    /**
     * The words of the seed and then of the spawn key, which begin after a full pool, so that no seed equals another's
     * child.
     */
    private int[] assembled() {
        int start = spawnKey.length > 0 ? Math.max(entropy.length, POOL) : entropy.length;
        int[] words = Arrays.copyOf(entropy, start + spawnKey.length);
        System.arraycopy(spawnKey, 0, words, start, spawnKey.length);
        return words;
    }

    private void mix(int[] words) {
        for (int i = 0; i < POOL; i++) {
            pool[i] = hashed(i < words.length ? words[i] : 0);
        }
        for (int from = 0; from < POOL; from++) {
            for (int to = 0; to < POOL; to++) {
                if (from != to) {
                    pool[to] = mixed(pool[to], hashed(pool[from]));
                }
            }
        }
        for (int from = POOL; from < words.length; from++) {
            for (int to = 0; to < POOL; to++) {
                pool[to] = mixed(pool[to], hashed(words[from]));
            }
        }
    }

    private int hashed(int word) {
        int value = word ^ hash;
        hash *= MULT_A;
        value *= hash;
        return value ^ value >>> 16;
    }

    private static int mixed(int left, int right) {
        int value = MIX_LEFT * left - MIX_RIGHT * right;
        return value ^ value >>> 16;
    }
}
