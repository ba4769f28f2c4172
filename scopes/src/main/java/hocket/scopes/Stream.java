package hocket.scopes;

import java.nio.ByteBuffer;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.ArraySampler;
import org.apache.commons.rng.simple.RandomSource;

/**
 * Random numbers of one path: Philox4x64-10 keyed by seed and path, at a counter (Salmon et al. 2011). A draw at the
 * same counter gives the same bits, on every machine. Immutable, so any thread may draw.
 *
 * <p>An element of a FLOAT32 buffer takes 32 random bits, one of a FLOAT64 buffer or an array 64, one of a mask 32; the
 * first elements of a long draw are those of a short one.
 *
 * <p>For example:
 *
 * <pre>{@code
 * Stream noise = Streams.seed(7).at("generator/noise");
 * double[] values = new double[64];
 * noise.normal(3, values); // those of turn 3, whatever was drawn before
 * }</pre>
 */
public final class Stream {
    private final long seed;
    private final long key;
    private final String path;

    Stream(long seed, long key, String path) {
        this.seed = seed;
        this.key = key;
        this.path = path;
    }

    /** Returns a generator that starts at a counter, for draws that the methods here lack. */
    public UniformRandomProvider generator(long counter) {
        return RandomSource.PHILOX_4X64.create(new long[] {seed, key, 0, counter, 0, 0});
    }

    /** Fills with uniforms in [0, 1), multiples of 2^-53. */
    public void uniform(long counter, double[] out) {
        UniformRandomProvider generator = generator(counter);
        for (int i = 0; i < out.length; i++) {
            out[i] = unit(generator.nextLong());
        }
    }

    /** Fills with standard normals. */
    public void normal(long counter, double[] out) {
        UniformRandomProvider generator = generator(counter);
        for (int i = 0; i < out.length; i++) {
            out[i] = NormalQuantile.ofLong(generator.nextLong());
        }
    }

    /**
     * Fills {@code count} elements of a buffer (native order, from 0) with uniforms in [low, high); all {@code low}
     * where the two are equal.
     *
     * @throws IllegalArgumentException if low is above high, or the type is not floating
     */
    public void uniform(long counter, double low, double high, ByteBuffer out, ElementType type, int count) {
        if (!(low <= high)) {
            throw new IllegalArgumentException(
                    path + ": uniforms need low ≤ high, low was " + low + " and high " + high);
        }
        UniformRandomProvider generator = generator(counter);
        double span = high - low;
        if (isSingle(type)) {
            // Rounding may reach high.
            float most = Math.max((float) low, Math.nextDown((float) high));
            for (int i = 0; i < count; i++) {
                out.putFloat(i * Float.BYTES, Math.min((float) (low + span * unit(generator.nextInt())), most));
            }
        } else {
            double most = Math.max(low, Math.nextDown(high));
            for (int i = 0; i < count; i++) {
                out.putDouble(i * Double.BYTES, Math.min(low + span * unit(generator.nextLong()), most));
            }
        }
    }

    /**
     * Fills {@code count} elements of a buffer (native order, from 0) with standard normals.
     *
     * @throws IllegalArgumentException if the type is not floating
     */
    public void normal(long counter, ByteBuffer out, ElementType type, int count) {
        UniformRandomProvider generator = generator(counter);
        if (isSingle(type)) {
            for (int i = 0; i < count; i++) {
                out.putFloat(i * Float.BYTES, NormalQuantile.ofInt(generator.nextInt()));
            }
        } else {
            for (int i = 0; i < count; i++) {
                out.putDouble(i * Double.BYTES, NormalQuantile.ofLong(generator.nextLong()));
            }
        }
    }

    /**
     * Fills {@code count} elements of a buffer (native order, from 0) with a dropout mask: 0 with probability
     * {@code rate}, otherwise 1/(1 - rate), so that the mean is 1. The same elements are 0 in either type.
     *
     * @throws IllegalArgumentException if the rate is not in [0, 1), or the type is not floating
     */
    public void mask(long counter, double rate, ByteBuffer out, ElementType type, int count) {
        if (!(rate >= 0 && rate < 1)) {
            throw new IllegalArgumentException(path + ": a mask's rate must be at least 0 and below 1, was " + rate);
        }
        UniformRandomProvider generator = generator(counter);
        double kept = 1 / (1 - rate);
        if (isSingle(type)) {
            for (int i = 0; i < count; i++) {
                out.putFloat(i * Float.BYTES, unit(generator.nextInt()) < rate ? 0 : (float) kept);
            }
        } else {
            for (int i = 0; i < count; i++) {
                out.putDouble(i * Double.BYTES, unit(generator.nextInt()) < rate ? 0 : kept);
            }
        }
    }

    /** Shuffles in place, every order equally likely. */
    public void shuffle(long counter, int[] items) {
        ArraySampler.shuffle(generator(counter), items);
    }

    private boolean isSingle(ElementType type) {
        if (!type.isFloating()) {
            throw new IllegalArgumentException(path + ": random elements are FLOAT32 or FLOAT64, not " + type);
        }
        return type == ElementType.FLOAT32;
    }

    private static double unit(long bits) {
        return (bits >>> 11) * 0x1p-53;
    }

    private static double unit(int bits) {
        return Integer.toUnsignedLong(bits) * 0x1p-32;
    }

    /** For example {@code generator/noise of seed 7}. */
    @Override
    public String toString() {
        return path + " of seed " + seed;
    }
}
