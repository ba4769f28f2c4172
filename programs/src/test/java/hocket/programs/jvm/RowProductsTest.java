package hocket.programs.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import hocket.programs.jvm.kernels.DenseKernels;
import hocket.programs.jvm.kernels.Matrix;
import hocket.programs.jvm.kernels.Scratch;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Products of a matrix of each row with another, sixteen rows at a time. */
class RowProductsTest {
    private static final int LANES = Scratch.LANES;
    private static final float GUARD = 12345;

    /** rows, columns, depth; the last is deeper than a chain. */
    static Stream<int[]> sizes() {
        return Stream.of(
                new int[] {1, 1, 1},
                new int[] {4, 2, 7},
                new int[] {5, 3, 4},
                new int[] {3, 9, 1},
                new int[] {8, 8, 33},
                new int[] {6, 5, 1200});
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void bothKernelsGiveTheSameBitsAndWriteNothingElse(int[] size) {
        for (int form = 0; form < 4; form++) {
            float[] plain = product(DenseKernels.plain(), size, form);
            double[] exact = exact(size, form);
            for (int i = 0; i < exact.length; i++) {
                assertThat((double) plain[LANES + i]).isCloseTo(exact[i], within(size[2]));
            }
            assertThat(Arrays.copyOf(plain, LANES)).containsOnly(GUARD);
            assertThat(Arrays.copyOfRange(plain, LANES + exact.length, plain.length))
                    .containsOnly(GUARD);
            for (DenseKernels kernels : Both.kernels()) {
                assertThat(product(kernels, size, form)).as(kernels.name()).isEqualTo(plain);
            }
        }
    }

    /** Sums of normals, some of which cancel. */
    private static Offset<Double> within(int depth) {
        return Offset.offset(2e-6 * Math.sqrt(depth) * 4);
    }

    private static float[] product(DenseKernels kernels, int[] size, int form) {
        float[] c = new float[2 * LANES + size[0] * size[1] * LANES];
        Arrays.fill(c, GUARD);
        Matrix result = new Matrix(c, LANES, size[1] * LANES, LANES);
        kernels.rowProducts(size[0], size[1], size[2], left(size, form), right(size, form), result, false);
        return c;
    }

    private static Matrix left(int[] size, int form) {
        float[] a = numbers(1, size[0] * size[2]);
        return (form & 1) == 0 ? new Matrix(a, 0, size[2] * LANES, LANES) : new Matrix(a, 0, LANES, size[0] * LANES);
    }

    private static Matrix right(int[] size, int form) {
        float[] b = numbers(2, size[2] * size[1]);
        return (form & 2) == 0 ? new Matrix(b, 0, size[1] * LANES, LANES) : new Matrix(b, 0, LANES, size[2] * LANES);
    }

    private static float[] numbers(long seed, int elements) {
        Random random = new Random(seed);
        float[] numbers = new float[elements * LANES + LANES];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = (float) random.nextGaussian();
        }
        return numbers;
    }

    private static double[] exact(int[] size, int form) {
        Matrix a = left(size, form);
        Matrix b = right(size, form);
        double[] sums = new double[size[0] * size[1] * LANES];
        for (int at = 0; at < sums.length; at++) {
            int lane = at % LANES;
            int i = at / LANES / size[1];
            int j = at / LANES % size[1];
            for (int p = 0; p < size[2]; p++) {
                sums[at] += (double) a.values()[a.at() + i * a.row() + p * a.step() + lane]
                        * b.values()[b.at() + p * b.row() + j * b.step() + lane];
            }
        }
        return sums;
    }
}
