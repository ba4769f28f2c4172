package hocket.scopes;

import java.nio.ByteBuffer;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.ArraySampler;
import org.apache.commons.rng.simple.RandomSource;

/**
 * Random numbers of one path: Philox4x64-10 keyed by seed and path, at a counter (Salmon et al. 2011). A draw at the
 * same counter gives the same bits, on every machine. Immutable.
 */
public final class Stream {
    private static final double UNIT = 0x1.0p-53;

    // AS 241's coefficients, highest power first.
    private static final double[] CENTRE = {
        2.5090809287301226727e3, 3.3430575583588128105e4, 6.7265770927008700853e4, 4.5921953931549871457e4,
        1.3731693765509461125e4, 1.9715909503065514427e3, 1.3314166789178437745e2, 3.3871328727963666080e0
    };
    private static final double[] CENTRE_BELOW = {
        5.2264952788528545610e3, 2.8729085735721942674e4, 3.9307895800092710610e4, 2.1213794301586595867e4,
        5.3941960214247511077e3, 6.8718700749205790830e2, 4.2313330701600911252e1, 1.0
    };
    private static final double[] TAIL = {
        7.74545014278341407640e-4, 2.27238449892691845833e-2, 2.41780725177450611770e-1, 1.27045825245236838258e0,
        3.64784832476320460504e0, 5.76949722146069140550e0, 4.63033784615654529590e0, 1.42343711074968357734e0
    };
    private static final double[] TAIL_BELOW = {
        1.05075007164441684324e-9, 5.47593808499534494600e-4, 1.51986665636164571966e-2, 1.48103976427480074590e-1,
        6.89767334985100004550e-1, 1.67638483018380384940e0, 2.05319162663775882187e0, 1.0
    };
    private static final double[] FAR = {
        2.01033439929228813265e-7, 2.71155556874348757815e-5, 1.24266094738807843860e-3, 2.65321895265761230930e-2,
        2.96560571828504891230e-1, 1.78482653991729133580e0, 5.46378491116411436990e0, 6.65790464350110377720e0
    };
    private static final double[] FAR_BELOW = {
        2.04426310338993978564e-15, 1.42151175831644588870e-7, 1.84631831751005468180e-5, 7.86869131145613259100e-4,
        1.48753612908506148525e-2, 1.36929880922735805310e-1, 5.99832206555887937690e-1, 1.0
    };

    private final long seed;
    private final long key;
    private final String path;

    Stream(long seed, long key, String path) {
        this.seed = seed;
        this.key = key;
        this.path = path;
    }

    /** A generator that starts at a counter, for what the methods here do not draw. */
    public UniformRandomProvider generator(long counter) {
        return RandomSource.PHILOX_4X64.create(new long[] {seed, key, 0, counter, 0, 0});
    }

    /** Fills with uniforms in [0, 1). */
    public void uniform(long counter, double[] out) {
        UniformRandomProvider generator = generator(counter);
        for (int i = 0; i < out.length; i++) {
            out[i] = (generator.nextLong() >>> 11) * UNIT;
        }
    }

    /** Fills with standard normals. */
    public void normal(long counter, double[] out) {
        UniformRandomProvider generator = generator(counter);
        for (int i = 0; i < out.length; i++) {
            out[i] = standardNormal(generator.nextLong());
        }
    }

    /** Fills {@code count} elements of a buffer (native order, from 0) with uniforms in [low, high). */
    public void uniform(long counter, double low, double high, ByteBuffer out, ElementType type, int count) {
        UniformRandomProvider generator = generator(counter);
        for (int i = 0; i < count; i++) {
            put(out, type, i, low + (high - low) * ((generator.nextLong() >>> 11) * UNIT));
        }
    }

    /** Fills {@code count} elements of a buffer (native order, from 0) with standard normals. */
    public void normal(long counter, ByteBuffer out, ElementType type, int count) {
        UniformRandomProvider generator = generator(counter);
        for (int i = 0; i < count; i++) {
            put(out, type, i, standardNormal(generator.nextLong()));
        }
    }

    /**
     * Fills {@code count} elements of a buffer with a dropout mask: 0 with probability {@code rate}, otherwise
     * 1/(1 - rate), so that the mean is 1.
     */
    public void mask(long counter, double rate, ByteBuffer out, ElementType type, int count) {
        UniformRandomProvider generator = generator(counter);
        double kept = 1 / (1 - rate);
        for (int i = 0; i < count; i++) {
            put(out, type, i, (generator.nextLong() >>> 11) * UNIT < rate ? 0 : kept);
        }
    }

    /** Shuffles in place, every order equally likely. */
    public void shuffle(long counter, int[] items) {
        ArraySampler.shuffle(generator(counter), items);
    }

    private static void put(ByteBuffer out, ElementType type, int index, double value) {
        if (type == ElementType.FLOAT32) {
            out.putFloat(index * Float.BYTES, (float) value);
        } else {
            out.putDouble(index * Double.BYTES, value);
        }
    }

    /**
     * The normal quantile of the middle of one of 2^53 equal parts of (0, 1): algorithm AS 241, PPND16 (Wichura 1988),
     * relative error about 1e-16. Its only transcendental is StrictMath's, which has the same bits everywhere.
     */
    static double standardNormal(long bits) {
        double q = ((bits >>> 11) + 0.5) * UNIT - 0.5;
        if (Math.abs(q) <= 0.425) {
            double r = 0.180625 - q * q;
            return q * polynomial(CENTRE, r) / polynomial(CENTRE_BELOW, r);
        }
        double tail = ((q < 0 ? bits : ~bits) >>> 11) + 0.5;
        double r = Math.sqrt(-StrictMath.log(tail * UNIT));
        double quantile = r <= 5
                ? polynomial(TAIL, r - 1.6) / polynomial(TAIL_BELOW, r - 1.6)
                : polynomial(FAR, r - 5) / polynomial(FAR_BELOW, r - 5);
        return q < 0 ? -quantile : quantile;
    }

    private static double polynomial(double[] coefficients, double x) {
        double sum = coefficients[0];
        for (int i = 1; i < coefficients.length; i++) {
            sum = sum * x + coefficients[i];
        }
        return sum;
    }

    /** For example {@code generator/noise of seed 7}. */
    @Override
    public String toString() {
        return path + " of seed " + seed;
    }
}
