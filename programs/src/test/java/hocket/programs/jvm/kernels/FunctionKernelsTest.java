package hocket.programs.jvm.kernels;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import hocket.programs.jvm.Both;
import java.util.Arrays;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import org.apache.commons.numbers.gamma.Erf;
import org.junit.jupiter.api.Test;

class FunctionKernelsTest {
    private static final int COUNT = 1 << 20;

    private static final float[] SPECIAL = {
        0f,
        -0f,
        1f,
        -1f,
        0.5f,
        2f,
        Float.MIN_VALUE,
        -Float.MIN_VALUE,
        Float.MIN_NORMAL,
        -Float.MIN_NORMAL,
        Float.MAX_VALUE,
        -Float.MAX_VALUE,
        Float.POSITIVE_INFINITY,
        Float.NEGATIVE_INFINITY,
        Float.NaN,
        88.7f,
        88.8f,
        -87.4f,
        -103.9f,
        -104.1f,
        1e-20f
    };

    /** All magnitudes, and again those that matter most. */
    private static float[] points() {
        Random random = new Random(1);
        float[] x = new float[COUNT];
        for (int i = 0; i < COUNT; i++) {
            x[i] = switch (i % 4) {
                case 0 -> Float.intBitsToFloat(random.nextInt());
                case 1 -> (float) random.nextGaussian();
                case 2 -> (random.nextFloat() - 0.5f) * 220;
                default -> (random.nextFloat() - 0.5f) * 20;
            };
        }
        System.arraycopy(SPECIAL, 0, x, 0, SPECIAL.length);
        return x;
    }

    private static float[] apply(DenseKernels kernels, Unary f, float p, float q, float[] x) {
        float[] y = new float[x.length];
        kernels.unary(f, p, q, x, 0, y, 0, x.length);
        return y;
    }

    /** The largest error, in units of the last place of the nearest float; infinities and NaN must agree. */
    private static double worst(Unary f, float p, float q, DoubleUnaryOperator exact) {
        float[] x = points();
        float[] y = apply(DenseKernels.best(), f, p, q, x);
        double worst = 0;
        for (int i = 0; i < x.length; i++) {
            double e = exact.applyAsDouble(x[i]);
            float nearest = (float) e;
            if (Float.isNaN(nearest) || Float.isInfinite(nearest)) {
                assertEquals(nearest, y[i], f + " of " + x[i]);
                continue;
            }
            worst = Math.max(worst, Math.abs(y[i] - e) / Math.ulp(nearest));
        }
        return worst;
    }

    private static double sigmoid(double x) {
        return x < 0 ? Math.exp(x) / (1 + Math.exp(x)) : 1 / (1 + Math.exp(-x));
    }

    private static double softplus(double x) {
        return Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)));
    }

    @Test
    void functionsAreAsExactAsTheySay() {
        assertEquals(0.98, worst(Unary.EXP, 0, 0, Math::exp), 0.02);
        assertEquals(0.92, worst(Unary.LOG, 0, 0, Math::log), 0.02);
        assertEquals(0.83, worst(Unary.ELU, 1, 0, x -> x < 0 ? Math.expm1(x) : x), 0.02);
        assertEquals(2.27, worst(Unary.TANH, 0, 0, Math::tanh), 0.02);
        assertEquals(2.30, worst(Unary.SIGMOID, 0, 0, FunctionKernelsTest::sigmoid), 0.02);
        assertEquals(2.59, worst(Unary.SOFTPLUS, 0, 0, FunctionKernelsTest::softplus), 0.02);
        assertEquals(2.65, worst(Unary.ERF, 0, 0, Erf::value), 0.02);
    }

    @Test
    void simpleFunctionsAreTheNearestFloat() {
        assertTrue(worst(Unary.NEGATE, 0, 0, x -> -x) <= 0.5);
        assertTrue(worst(Unary.RELU, 0, 0, x -> x < 0 ? 0 : x) <= 0.5);
        assertTrue(worst(Unary.LEAKY_RELU, 0.25f, 0, x -> x < 0 ? 0.25 * x : x) <= 0.5);
        assertTrue(worst(Unary.SQRT, 0, 0, Math::sqrt) <= 0.5);
        assertTrue(worst(Unary.SQUARE, 0, 0, x -> x * x) <= 0.5);
        assertTrue(worst(Unary.ABS, 0, 0, Math::abs) <= 0.5);
        assertTrue(worst(Unary.AFFINE, 0.5f, 2, x -> x * 0.5 + 2) <= 0.5001);
        assertTrue(worst(Unary.CLIP, -1, 2, x -> x < -1 ? -1 : x > 2 ? 2 : x) <= 0.5);
    }

    @Test
    void tanhKeepsTheSignOfZeroAndIsOdd() {
        for (DenseKernels kernels : Both.kernels()) {
            float[] x = points();
            float[] y = apply(kernels, Unary.TANH, 0, 0, x);
            float[] z = apply(kernels, Unary.TANH, 0, 0, apply(kernels, Unary.NEGATE, 0, 0, x));
            assertArrayEquals(y, apply(kernels, Unary.NEGATE, 0, 0, z));
            assertEquals(0, Float.floatToRawIntBits(y[0]));
            assertEquals(0x80000000, Float.floatToRawIntBits(y[1]));
        }
    }

    @Test
    void functionsAreTheSameBitsEitherWay() {
        assumeTrue(DenseKernels.vector().isPresent(), "no Vector API module");
        DenseKernels vector = DenseKernels.vector().get();
        float[] x = points();
        for (Unary f : Unary.values()) {
            assertArrayEquals(
                    apply(DenseKernels.plain(), f, 0.3f, 1.7f, x), apply(vector, f, 0.3f, 1.7f, x), f.toString());
        }
    }

    @Test
    void pairsAreTheSameBitsEitherWayAtEveryLengthAndStep() {
        assumeTrue(DenseKernels.vector().isPresent(), "no Vector API module");
        DenseKernels vector = DenseKernels.vector().get();
        float[] a = points();
        float[] b = points();
        for (int i = 0; i < b.length; i += 3) {
            b[i] = a[b.length - 1 - i];
        }
        for (int count : new int[] {0, 1, 5, 15, 16, 17, 33, 64, 1000}) {
            for (int step = 0; step < 4; step++) {
                for (Binary f : Binary.values()) {
                    float[] p = new float[1040];
                    float[] q = new float[1040];
                    DenseKernels.plain().binary(f, a, 3, step & 1, b, 5, step >> 1, p, 7, count);
                    vector.binary(f, a, 3, step & 1, b, 5, step >> 1, q, 7, count);
                    assertArrayEquals(p, q, f + ", " + count + " elements, steps " + step);
                }
                float[] p = Arrays.copyOf(a, 1040);
                float[] q = Arrays.copyOf(a, 1040);
                DenseKernels.plain().where(a, 0, 1, a, 3, step & 1, b, 5, step >> 1, p, 7, count);
                vector.where(a, 0, 1, a, 3, step & 1, b, 5, step >> 1, q, 7, count);
                assertArrayEquals(p, q);
                DenseKernels.plain().where(a, step, 0, a, 3, step & 1, b, 5, step >> 1, p, 7, count);
                vector.where(a, step, 0, a, 3, step & 1, b, 5, step >> 1, q, 7, count);
                assertArrayEquals(p, q);
            }
            for (ActivationGradient f : ActivationGradient.values()) {
                float[] p = Arrays.copyOf(a, 1040);
                float[] q = Arrays.copyOf(a, 1040);
                DenseKernels.plain().slope(f, 0.3f, a, 3, b, 5, p, 7, count, count % 2 == 0);
                vector.slope(f, 0.3f, a, 3, b, 5, q, 7, count, count % 2 == 0);
                assertArrayEquals(p, q, f.toString());
            }
            for (int from : new int[] {2, 50}) { // with numbers that are none, and without
                assertEquals(DenseKernels.plain().sum(a, from, count), vector.sum(a, from, count));
                assertEquals(
                        DenseKernels.plain().sumOfProducts(a, from, b, from, count),
                        vector.sumOfProducts(a, from, b, from, count));
                assertEquals(DenseKernels.plain().max(a, from, count), vector.max(a, from, count));
            }
        }
    }

    @Test
    void pairsDoWhatTheirNamesSay() {
        float[] a = {1, 2, 3, Float.NaN};
        float[] b = {3, 2, 1, 1};
        for (DenseKernels kernels : Both.kernels()) {
            assertArrayEquals(new float[] {4, 4, 4, Float.NaN}, pair(kernels, Binary.ADD, a, b));
            assertArrayEquals(new float[] {-2, 0, 2, Float.NaN}, pair(kernels, Binary.SUBTRACT, a, b));
            assertArrayEquals(new float[] {3, 4, 3, Float.NaN}, pair(kernels, Binary.MULTIPLY, a, b));
            assertArrayEquals(new float[] {1f / 3, 1, 3, Float.NaN}, pair(kernels, Binary.DIVIDE, a, b));
            assertArrayEquals(new float[] {3, 2, 3, Float.NaN}, pair(kernels, Binary.MAXIMUM, a, b));
            assertArrayEquals(new float[] {1, 2, 1, Float.NaN}, pair(kernels, Binary.MINIMUM, a, b));
            assertArrayEquals(new float[] {0, 1, 0, 0}, pair(kernels, Binary.EQUAL, a, b));
            assertArrayEquals(new float[] {0, 0, 1, 0}, pair(kernels, Binary.GREATER, a, b));
        }
    }

    /** Each pair many times over, so that whole vectors are reached. */
    private static float[] pair(DenseKernels kernels, Binary f, float[] a, float[] b) {
        float[] long1 = new float[64 + 16];
        float[] long2 = new float[64 + 16];
        for (int i = 0; i < 64; i++) {
            long1[i] = a[i % 4];
            long2[i] = b[i % 4];
        }
        float[] out = new float[64];
        kernels.binary(f, long1, 0, 1, long2, 0, 1, out, 0, 64);
        assertArrayEquals(Arrays.copyOf(out, 4), Arrays.copyOfRange(out, 60, 64));
        return Arrays.copyOf(out, 4);
    }

    @Test
    void slopesAreDerivatives() {
        float[] g = new float[48];
        float[] y = new float[48];
        float[] out = new float[48];
        Arrays.fill(g, 3);
        Arrays.fill(y, 0.5f);
        y[1] = -0.5f;
        for (DenseKernels kernels : Both.kernels()) {
            kernels.slope(ActivationGradient.TANH, 0, g, 0, y, 0, out, 0, 32, false);
            assertEquals(2.25f, out[0]);
            kernels.slope(ActivationGradient.SIGMOID, 0, g, 0, y, 0, out, 0, 32, false);
            assertEquals(0.75f, out[0]);
            kernels.slope(ActivationGradient.RELU, 0, g, 0, y, 0, out, 0, 32, false);
            assertEquals(3f, out[0]);
            assertEquals(0f, out[1]);
            kernels.slope(ActivationGradient.LEAKY_RELU, 0.5f, g, 0, y, 0, out, 0, 32, true);
            assertEquals(6f, out[0]);
            assertEquals(1.5f, out[1]);
        }
    }

    @Test
    void sumsAreSums() {
        float[] x = new float[200];
        for (int i = 0; i < x.length; i++) {
            x[i] = i + 1;
        }
        for (DenseKernels kernels : Both.kernels()) {
            for (int n = 0; n < 150; n++) {
                assertEquals(n * (n + 1) / 2f, kernels.sum(x, 0, n));
                assertEquals(n * (n + 1) * (2f * n + 1) / 6, kernels.sumOfProducts(x, 0, x, 0, n));
                assertEquals(n == 0 ? Float.NEGATIVE_INFINITY : n + 2, kernels.max(x, 2, n));
            }
        }
    }
}
