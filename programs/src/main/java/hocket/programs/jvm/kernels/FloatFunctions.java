package hocket.programs.jvm.kernels;

/**
 * Functions of one float, made of operations that every JVM and every machine rounds alike. The vector loops do the same
 * operations in the same order.
 *
 * <p>Largest errors seen among a million arguments of all magnitudes, in units of the last place of the nearest float:
 * exp 0.98, ln 0.92, elu 0.83, tanh 2.3, sigmoid 2.3, softplus 2.6, erf 2.7; results may be subnormal. NaN gives NaN, infinities
 * their limits, negative numbers no logarithm; tanh and erf are exactly odd and keep the relative error of the smallest numbers.
 */
public final class FloatFunctions {
    static final float LOG2_E = 1.44269504f;
    static final float LN2_HIGH = 0.693359375f;
    static final float LN2_LOW = -2.12194440e-4f;

    /** Added and subtracted again, it leaves the nearest whole number, and before that the number in the low bits. */
    static final float ROUNDER = 12582912f;

    static final int ROUNDER_BITS = 0x4B400000;

    /** The arguments at which e^x has become 0, and infinite. */
    static final float EXP_LOWEST = -104;

    static final float EXP_HIGHEST = 89;

    /** The arguments at which e^x − 1 has become −1, and tanh 1. */
    static final float EXPM1_LOWEST = -40;

    static final float TANH_HIGHEST = 15;

    /** {@code e^r = 1 + r + r²·(E0 + E1·r + …)} for |r| up to ln(2)/2; coefficients of Cephes' expf. */
    static final float E0 = 5.0000001201e-1f;

    static final float E1 = 1.6666665459e-1f;
    static final float E2 = 4.1665795894e-2f;
    static final float E3 = 8.3334519073e-3f;
    static final float E4 = 1.3981999507e-3f;
    static final float E5 = 1.9875691500e-4f;

    /** {@code ln((1 + s)/(1 − s)) = 2·s + s³·(L0 + L1·s² + …)} for |s| up to 1/3. */
    static final float L0 = 6.6666667e-1f;

    static final float L1 = 3.9999968e-1f;
    static final float L2 = 2.8579497e-1f;
    static final float L3 = 2.1908128e-1f;
    static final float L4 = 2.2251609e-1f;

    /** {@code erf(x) = −(e^-(S0·x + S1·x² + …) − 1)} for x up to {@link #ERF_HIGHEST}: a fit to the least largest error. */
    static final float S0 = 1.1283792f;

    static final float S1 = 0.6366164f;
    static final float S2 = 0.10281495f;
    static final float S3 = -0.01932321f;
    static final float S4 = 2.0773838e-4f;
    static final float S5 = 0.0012503355f;
    static final float S6 = -3.8051675e-4f;
    static final float S7 = 4.064373e-5f;

    /** The argument at which erf has become 1. */
    static final float ERF_HIGHEST = 4;

    /** The bits of √½, which begins the range of mantissas that logarithms are taken of. */
    static final int SQRT_HALF_BITS = 0x3F3504F3;

    static final float TWO_23 = 8388608f;

    private FloatFunctions() {}

    static float exp(float x) {
        float v = x < EXP_LOWEST ? EXP_LOWEST : x;
        v = v > EXP_HIGHEST ? EXP_HIGHEST : v;
        float t = Math.fma(v, LOG2_E, ROUNDER);
        float m = mantissa(v, t - ROUNDER);
        int n = Float.floatToRawIntBits(t) - ROUNDER_BITS;
        int half = n >> 1;
        return (m + 1) * power(half) * power(n - half);
    }

    /** {@code e^r − 1} for what is left of x after n times ln 2. */
    private static float mantissa(float x, float n) {
        float r = Math.fma(n, -LN2_LOW, Math.fma(n, -LN2_HIGH, x));
        float q = Math.fma(E5, r, E4);
        q = Math.fma(q, r, E3);
        q = Math.fma(q, r, E2);
        q = Math.fma(q, r, E1);
        q = Math.fma(q, r, E0);
        return Math.fma(q, r * r, r);
    }

    private static float power(int n) {
        return Float.intBitsToFloat((n + 127) << 23);
    }

    /** {@code e^x − 1} for x within [−40, 40]. */
    private static float expm1(float x) {
        float t = Math.fma(x, LOG2_E, ROUNDER);
        float m = mantissa(x, t - ROUNDER);
        float s = power(Float.floatToRawIntBits(t) - ROUNDER_BITS);
        return Math.fma(s, m, s - 1);
    }

    static float elu(float x, float alpha) {
        float v = x < EXPM1_LOWEST ? EXPM1_LOWEST : x;
        return x < 0 ? alpha * expm1(v) : x;
    }

    public static float tanh(float x) {
        float v = Math.abs(x);
        v = v > TANH_HIGHEST ? TANH_HIGHEST : v;
        float e = expm1(v + v);
        float y = e / (e + 2);
        int sign = Float.floatToRawIntBits(x) & 0x80000000;
        return Float.intBitsToFloat(Float.floatToRawIntBits(y) | sign);
    }

    public static float sigmoid(float x) {
        float z = exp(-Math.abs(x));
        return (x < 0 ? z : 1) / (z + 1);
    }

    static float erf(float x) {
        float t = Math.min(Math.abs(x), ERF_HIGHEST);
        float q = Math.fma(S7, t, S6);
        q = Math.fma(q, t, S5);
        q = Math.fma(q, t, S4);
        q = Math.fma(q, t, S3);
        q = Math.fma(q, t, S2);
        q = Math.fma(q, t, S1);
        q = Math.fma(q, t, S0);
        float y = -expm1(-(q * t));
        int sign = Float.floatToRawIntBits(x) & 0x80000000;
        return Float.intBitsToFloat(Float.floatToRawIntBits(y) | sign);
    }

    static float softplus(float x) {
        float z = exp(-Math.abs(x));
        float s = z / (z + 2);
        float t = s * s;
        return (x < 0 ? 0 : x) + Math.fma(s * t, series(t), s + s);
    }

    private static float series(float t) {
        float q = Math.fma(L4, t, L3);
        q = Math.fma(q, t, L2);
        q = Math.fma(q, t, L1);
        return Math.fma(q, t, L0);
    }

    static float log(float x) {
        boolean small = x < Float.MIN_NORMAL;
        int bits = Float.floatToRawIntBits(small ? x * TWO_23 : x);
        int exponent = (bits - SQRT_HALF_BITS) >> 23;
        float f = Float.intBitsToFloat(bits - (exponent << 23)) - 1;
        float k = (small ? -23f : 0f) + exponent;
        float s = f / (f + 2);
        float t = s * s;
        // ln(1 + f) = f − s·(f − t·series)
        float y = Math.fma(-s, Math.fma(-t, series(t), f), f);
        y = Math.fma(k, LN2_HIGH, Math.fma(k, LN2_LOW, y));
        if (x > 0 && x < Float.POSITIVE_INFINITY) {
            return y;
        }
        return x == 0 ? Float.NEGATIVE_INFINITY : x < 0 ? Float.NaN : x;
    }
}
