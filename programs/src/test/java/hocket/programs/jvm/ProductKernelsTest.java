package hocket.programs.jvm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import hocket.programs.jvm.kernels.Activation;
import hocket.programs.jvm.kernels.DenseKernels;
import hocket.programs.jvm.kernels.DenseSize;
import hocket.programs.jvm.kernels.FloatFunctions;
import hocket.programs.jvm.kernels.Floats;
import hocket.programs.jvm.kernels.Scratch;
import hocket.programs.jvm.kernels.WorkShare;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ProductKernelsTest {
    private static final int SLACK = 16;
    private static final float GUARD = 12345;

    private static final int RANDOM = 60;

    /** outputs, inputs, rows. */
    private static final int[][] SIZES = sizes();

    private static int[][] sizes() {
        Random random = new Random(1);
        int[][] large = {
            {64, 64, 64}, {256, 17, 256}, {10, 128, 128}, {300, 270, 260}, {7, 520, 40}, {2, 64, 64}, {6, 300, 1},
            // deeper than a chain or a block
            {40, 1100, 40}, {1100, 40, 33}, {40, 36, 1100}, {3, 5, 1000}, {7, 1030, 1}, {17, 9000, 18}, {33, 34, 9000}
        };
        int[][] few = new int[22][];
        for (int i = 0; i < 22; i++) {
            few[i] = new int[] {64 + random.nextInt(40), 64 + random.nextInt(40), i + 1};
        }
        few[3] = new int[] {70, 1100, 4};
        few[4] = new int[] {1100, 70, 5};
        few[6] = new int[] {300, 530, 7};
        few[7] = new int[] {128, 512, 8};
        int[][] sizes = new int[RANDOM + large.length + few.length][];
        for (int i = 0; i < RANDOM; i++) {
            sizes[i] =
                    new int[] {1 + random.nextInt(70), 1 + random.nextInt(70), i % 5 == 0 ? 1 : 1 + random.nextInt(70)};
        }
        System.arraycopy(large, 0, sizes, RANDOM, large.length);
        System.arraycopy(few, 0, sizes, RANDOM + large.length, few.length);
        return sizes;
    }

    /** One layer's arrays, in runs, each of them away from its array's beginning and with slack behind it. */
    private static final class Layer {
        final int n;
        final int k;
        final int m;
        final int stride;
        final float[] w;
        final float[] bias;
        final float[] x;
        final float[] dy;
        final int at;

        Layer(int[] size, Random random) {
            n = size[0];
            k = size[1];
            m = size[2];
            stride = m == 1 ? 1 : (m + 15) & -16;
            at = random.nextInt(40);
            w = numbers(random, n * k);
            bias = numbers(random, n);
            x = numbers(random, k * stride);
            dy = numbers(random, n * stride);
        }

        private float[] numbers(Random random, int count) {
            float[] a = new float[at + count + SLACK];
            for (int i = 0; i < a.length; i++) {
                a[i] = (float) random.nextGaussian();
            }
            return a;
        }

        private float[] result(int count) {
            float[] a = new float[at + count + SLACK];
            Arrays.fill(a, GUARD);
            return a;
        }

        private DenseSize size() {
            return new DenseSize(n, k, m, stride);
        }

        private Floats at(float[] array) {
            return new Floats(array, at);
        }

        private float[] forward(DenseKernels kernels, boolean biased, Activation activation, int parts) {
            float[] y = result(n * stride);
            for (int part = parts - 1; part >= 0; part--) {
                kernels.forward(
                        size(),
                        at(w),
                        biased ? at(bias) : null,
                        at(x),
                        at(y),
                        activation,
                        0.125f,
                        new WorkShare(part, parts, new Scratch()));
            }
            return y;
        }

        /** Of several rows; the padding of the transposed weight must not matter. */
        private float[] forwardTransposed(DenseKernels kernels, boolean biased, Activation activation, int parts) {
            int row = (n + 15) & -16;
            float[] turned = new float[at + k * row + SLACK];
            Arrays.fill(turned, Float.NaN);
            for (int i = 0; i < n; i++) {
                for (int p = 0; p < k; p++) {
                    turned[at + p * row + i] = w[at + i * k + p];
                }
            }
            float[] y = result(n * stride);
            for (int part = parts - 1; part >= 0; part--) {
                kernels.forwardTransposed(
                        size(),
                        at(turned),
                        biased ? at(bias) : null,
                        at(x),
                        at(y),
                        activation,
                        0.125f,
                        new WorkShare(part, parts, new Scratch()));
            }
            return y;
        }

        /** A batched result without its padding. */
        private float[] rows(float[] result, int features) {
            float[] rows = new float[features * m];
            for (int f = 0; f < features; f++) {
                System.arraycopy(result, at + f * stride, rows, f * m, m);
            }
            return rows;
        }

        private float[] inputGradient(
                DenseKernels kernels, float @org.jspecify.annotations.Nullable [] old, int parts) {
            float[] dx = old == null ? result(k * stride) : old.clone();
            for (int part = parts - 1; part >= 0; part--) {
                kernels.inputGradient(
                        size(), at(w), at(dy), at(dx), old != null, new WorkShare(part, parts, new Scratch()));
            }
            return dx;
        }

        /** The weight's gradient, and behind its slack the bias's. */
        private float[] weightGradient(
                DenseKernels kernels, float @org.jspecify.annotations.Nullable [] old, boolean biased, int parts) {
            float[] dw = old == null ? result(n * k + SLACK + n) : old.clone();
            for (int part = parts - 1; part >= 0; part--) {
                kernels.weightGradient(
                        size(),
                        at(dy),
                        at(x),
                        at(dw),
                        biased ? new Floats(dw, at + n * k + SLACK) : null,
                        old != null,
                        new WorkShare(part, parts, new Scratch()));
            }
            return dw;
        }

        @Override
        public String toString() {
            return n + "×" + k + " on " + m + " rows";
        }
    }

    private static void each(java.util.function.Consumer<Layer> test) {
        Random random = new Random(2);
        for (int[] size : SIZES) {
            test.accept(new Layer(size, random));
        }
    }

    private static void assertClose(double expected, float actual, int depth, Layer layer, String what) {
        assertEquals(expected, actual, 1e-6 * (depth + 8), () -> layer + ": " + what);
    }

    private static void assertGuarded(float[] a, int from, int to, Layer layer) {
        for (int i = 0; i < a.length; i++) {
            if (i < from || i >= to) {
                assertEquals(GUARD, a[i], layer + ": wrote element " + (i - from) + " of " + (to - from));
            }
        }
    }

    @Test
    void aForwardProductIsTheWeightTimesTheInputPlusTheBias() {
        each(l -> {
            for (DenseKernels kernels : Both.kernels()) {
                float[] y = l.forward(kernels, true, Activation.NONE, 1);
                float[] z = l.forward(kernels, false, Activation.NONE, 1);
                for (int i = 0; i < l.n; i++) {
                    for (int r = 0; r < l.m; r++) {
                        double sum = 0;
                        for (int p = 0; p < l.k; p++) {
                            sum += (double) l.w[l.at + i * l.k + p] * l.x[l.at + p * l.stride + r];
                        }
                        assertClose(sum + l.bias[l.at + i], y[l.at + i * l.stride + r], l.k, l, kernels.name());
                        assertClose(sum, z[l.at + i * l.stride + r], l.k, l, kernels.name());
                    }
                }
                assertGuarded(y, l.at, l.at + l.n * l.stride, l);
            }
        });
    }

    /** 0.1 is rounded up to FLOAT32, and every partial sum of it rounded the same way for long: errors do not cancel. */
    @Test
    void sumsKeepTheirPrecisionHoweverLongTheyAre() {
        float tenth = 0.1f;
        for (int count : new int[] {64, 144, 1000, 1024, 1 << 14, (1 << 18) + 5}) {
            float[] x = new float[count + SLACK];
            Arrays.fill(x, tenth);
            float[] ones = new float[count + SLACK];
            Arrays.fill(ones, 1);
            double exact = (double) tenth * count;
            for (DenseKernels kernels : Both.kernels()) {
                // 16 additions in each of 16 partial sums, then 4; PyTorch has 3e-7, too.
                assertEquals(exact, kernels.sum(x, 0, count), 3e-7 * exact, kernels.name());
                assertEquals(exact, kernels.sumOfProducts(x, 0, ones, 0, count), 3e-7 * exact, kernels.name());
                float[] y = new float[16 + SLACK];
                float[] columns = new float[16 * count + SLACK];
                Arrays.fill(columns, tenth);
                kernels.forward(
                        new DenseSize(1, count, 16, 16),
                        Floats.of(ones),
                        null,
                        Floats.of(columns),
                        Floats.of(y),
                        Activation.NONE,
                        0,
                        new WorkShare(0, 1, new Scratch()));
                // A chain of 512 fused multiply-adds.
                assertEquals(exact, y[3], 8e-6 * exact, kernels.name());
            }
        }
    }

    @Test
    void anActivationFollowsTheProduct() {
        each(l -> {
            for (DenseKernels kernels : Both.kernels()) {
                float[] z = l.forward(kernels, true, Activation.NONE, 1);
                for (Activation activation : Activation.values()) {
                    float[] y = l.forward(kernels, true, activation, 1);
                    for (int i = 0; i < l.n * l.stride; i++) {
                        float v = z[l.at + i];
                        float expected = switch (activation) {
                            case NONE -> v;
                            case RELU -> v < 0 ? 0 : v;
                            case LEAKY_RELU -> v < 0 ? v * 0.125f : v;
                            case TANH -> FloatFunctions.tanh(v);
                            case SIGMOID -> FloatFunctions.sigmoid(v);
                        };
                        assertEquals(expected, y[l.at + i], () -> l + ": " + activation);
                    }
                }
            }
        });
    }

    @Test
    void anInputGradientIsTheTurnedWeightTimesTheOutputGradient() {
        each(l -> {
            for (DenseKernels kernels : Both.kernels()) {
                float[] dx = l.inputGradient(kernels, null, 1);
                float[] twice = l.inputGradient(kernels, dx, 1);
                for (int j = 0; j < l.k; j++) {
                    for (int r = 0; r < l.m; r++) {
                        double sum = 0;
                        for (int p = 0; p < l.n; p++) {
                            sum += (double) l.w[l.at + p * l.k + j] * l.dy[l.at + p * l.stride + r];
                        }
                        assertClose(sum, dx[l.at + j * l.stride + r], l.n, l, kernels.name());
                        assertClose(2 * sum, twice[l.at + j * l.stride + r], 2 * l.n, l, kernels.name());
                    }
                }
                assertGuarded(dx, l.at, l.at + l.k * l.stride, l);
            }
        });
    }

    @Test
    void aWeightGradientSumsOverTheRowsThatAreNotPadding() {
        each(l -> {
            for (int f = 0; f < l.n; f++) {
                Arrays.fill(l.dy, l.at + f * l.stride + l.m, l.at + (f + 1) * l.stride, Float.NaN);
            }
            for (int f = 0; f < l.k; f++) {
                Arrays.fill(l.x, l.at + f * l.stride + l.m, l.at + (f + 1) * l.stride, Float.POSITIVE_INFINITY);
            }
            for (DenseKernels kernels : Both.kernels()) {
                float[] dw = l.weightGradient(kernels, null, true, 1);
                float[] twice = l.weightGradient(kernels, dw, true, 1);
                int bias = l.at + l.n * l.k + SLACK;
                for (int i = 0; i < l.n; i++) {
                    double sum = 0;
                    for (int r = 0; r < l.m; r++) {
                        sum += l.dy[l.at + i * l.stride + r];
                    }
                    assertClose(sum, dw[bias + i], l.m, l, kernels.name() + ", bias");
                    assertClose(2 * sum, twice[bias + i], 2 * l.m, l, kernels.name() + ", bias");
                    for (int j = 0; j < l.k; j++) {
                        sum = 0;
                        for (int r = 0; r < l.m; r++) {
                            sum += (double) l.dy[l.at + i * l.stride + r] * l.x[l.at + j * l.stride + r];
                        }
                        assertClose(sum, dw[l.at + i * l.k + j], l.m, l, kernels.name());
                        assertClose(2 * sum, twice[l.at + i * l.k + j], 2 * l.m, l, kernels.name());
                    }
                }
                float[] alone = l.weightGradient(kernels, null, false, 1);
                assertGuarded(alone, l.at, l.at + l.n * l.k, l);
                assertArrayEquals(
                        Arrays.copyOf(alone, l.at + l.n * l.k), Arrays.copyOf(dw, l.at + l.n * l.k), l.toString());
            }
        });
    }

    @Test
    void theBitsDependNeitherOnTheKernelsNorOnTheNumberOfParts() {
        assumeTrue(DenseKernels.vector().isPresent(), "no Vector API module");
        each(l -> {
            DenseKernels plain = DenseKernels.plain();
            float[] y = l.forward(plain, true, Activation.TANH, 1);
            float[] dx = l.inputGradient(plain, null, 1);
            float[] dx2 = l.inputGradient(plain, dx, 1);
            float[] dw = l.weightGradient(plain, null, true, 1);
            float[] dw2 = l.weightGradient(plain, dw, true, 1);
            for (DenseKernels kernels : Both.kernels()) {
                for (int parts = 1; parts <= 3; parts++) {
                    String what = l + ": " + kernels.name() + " in " + parts;
                    assertArrayEquals(y, l.forward(kernels, true, Activation.TANH, parts), what);
                    assertArrayEquals(l.rows(dx, l.k), l.rows(l.inputGradient(kernels, null, parts), l.k), what);
                    assertArrayEquals(dx2, l.inputGradient(kernels, dx, parts), what);
                    assertArrayEquals(dw, l.weightGradient(kernels, null, true, parts), what);
                    assertArrayEquals(dw2, l.weightGradient(kernels, dw, true, parts), what);
                }
            }
        });
    }

    @Test
    void aTransposedWeightGivesTheSameBits() {
        each(l -> {
            if (l.m == 1 || l.m > 24) {
                return; // it is for few rows
            }
            for (Activation activation : Activation.values()) {
                boolean biased = activation != Activation.NONE;
                float[] y = l.rows(l.forward(DenseKernels.plain(), biased, activation, 1), l.n);
                for (DenseKernels kernels : Both.kernels()) {
                    for (int parts = 1; parts <= 3; parts++) {
                        float[] z = l.forwardTransposed(kernels, biased, activation, parts);
                        String what = l + ": " + kernels.name() + " in " + parts + ", " + activation;
                        assertArrayEquals(y, l.rows(z, l.n), what);
                        assertGuarded(z, l.at, l.at + l.n * l.stride, l);
                    }
                }
            }
        });
    }

    @Test
    void aNumberThatIsNoneMakesNoneOfWhatItTouches() {
        for (DenseKernels kernels : Both.kernels()) {
            Layer l = new Layer(new int[] {5, 6, 20}, new Random(3));
            l.x[l.at + 2 * l.stride + 19] = Float.NaN;
            for (Activation activation : Activation.values()) {
                float[] y = l.forward(kernels, true, activation, 1);
                for (int i = 0; i < l.n; i++) {
                    assertTrue(Float.isNaN(y[l.at + i * l.stride + 19]), activation.name());
                    assertTrue(Float.isFinite(y[l.at + i * l.stride + 18]), activation.name());
                }
            }
        }
    }
}
