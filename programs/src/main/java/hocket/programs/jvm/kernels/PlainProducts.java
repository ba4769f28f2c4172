package hocket.programs.jvm.kernels;

import java.util.Arrays;

/**
 * Products by plain loops: rows of the right operand are copied to small arrays that share one index with a row of sums,
 * since only then does the compiler vectorise the loop.
 */
final class PlainProducts {
    private static final int DEPTH = 64;
    private static final int COLUMNS = 256;

    private PlainProducts() {}

    /**
     * {@code C(i,j) += sum over p of A(i,p)·B(p,j)}, i from i0 to i1, j from j0 to j1; all by strides. The first chain
     * begins with what C holds.
     */
    static void multiply(
            DenseKernels kernels,
            int i0,
            int i1,
            int j0,
            int j1,
            int depth,
            Floats left,
            int aRow,
            int aStep,
            Floats right,
            int bRow,
            int bStep,
            Floats result,
            int cRow,
            Scratch scratch) {
        float[] a = left.values();
        float[] c = result.values();
        int cAt = result.at();
        float[] sums = scratch.tile;
        float[][] rows = scratch.rows();
        for (int j = j0; j < j1; j += COLUMNS) {
            int columns = Math.min(COLUMNS, j1 - j);
            boolean deeper = depth > Scratch.CHAIN;
            if (deeper) {
                scratch.chains.begin((i1 - i0) * columns);
            }
            for (int p = 0; p < depth; p += DEPTH) {
                if (p > 0 && p % Scratch.CHAIN == 0) {
                    stash(kernels, i0, i1, columns, c, cAt + j, cRow, scratch.chains);
                }
                int deep = Math.min(DEPTH, depth - p);
                for (int q = 0; q < deep; q++) {
                    copy(right.values(), right.at() + (p + q) * bRow + j * bStep, bStep, rows[q], columns);
                }
                for (int i = i0; i < i1; i++) {
                    System.arraycopy(c, cAt + i * cRow + j, sums, 0, columns);
                    int at = left.at() + i * aRow + p * aStep;
                    int q = 0;
                    for (; q + 4 <= deep; q += 4, at += 4 * aStep) {
                        add(
                                a[at],
                                rows[q],
                                a[at + aStep],
                                rows[q + 1],
                                a[at + 2 * aStep],
                                rows[q + 2],
                                a[at + 3 * aStep],
                                rows[q + 3],
                                sums,
                                columns);
                    }
                    for (; q < deep; q++, at += aStep) {
                        add(a[at], rows[q], sums, columns);
                    }
                    System.arraycopy(sums, 0, c, cAt + i * cRow + j, columns);
                }
            }
            if (deeper) {
                stash(kernels, i0, i1, columns, c, cAt + j, cRow, scratch.chains);
                scratch.chains.write(kernels, i0, i1, columns, c, cAt + j, cRow);
            }
        }
    }

    /** Adds finished chains to a sum, and begins others at 0. */
    private static void stash(
            DenseKernels kernels, int i0, int i1, int columns, float[] c, int cAt, int cRow, PairwiseSums chains) {
        chains.add(kernels, i0, i1, columns, c, cAt, cRow);
        for (int i = i0; i < i1; i++) {
            Arrays.fill(c, cAt + i * cRow, cAt + i * cRow + columns, 0);
        }
    }

    private static void copy(float[] from, int at, int step, float[] to, int count) {
        if (step == 1) {
            System.arraycopy(from, at, to, 0, count);
            return;
        }
        for (int i = 0; i < count; i++) {
            to[i] = from[at + i * step];
        }
    }

    private static void add(
            float a0, float[] b0, float a1, float[] b1, float a2, float[] b2, float a3, float[] b3, float[] c, int n) {
        for (int j = 0; j < n; j++) {
            c[j] = Math.fma(a3, b3[j], Math.fma(a2, b2[j], Math.fma(a1, b1[j], Math.fma(a0, b0[j], c[j]))));
        }
    }

    private static void add(float a, float[] b, float[] c, int n) {
        for (int j = 0; j < n; j++) {
            c[j] = Math.fma(a, b[j], c[j]);
        }
    }
}
