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

    /** {@code C(i,j) += sum over p of A(i,p)·B(p,j)}. The first chain begins with what C holds. */
    static void multiply(
            DenseKernels kernels, int rows, int columns, int depth, Matrix a, Matrix b, Matrix c, Scratch scratch) {
        float[] left = a.values();
        float[] sums = scratch.tile;
        float[][] right = scratch.rows();
        for (int j = 0; j < columns; j += COLUMNS) {
            int wide = Math.min(COLUMNS, columns - j);
            boolean deeper = depth > Scratch.CHAIN;
            if (deeper) {
                scratch.chains.begin(rows * wide);
            }
            for (int p = 0; p < depth; p += DEPTH) {
                if (p > 0 && p % Scratch.CHAIN == 0) {
                    stash(kernels, rows, wide, c.values(), c.at(0, j), c.row(), scratch.chains);
                }
                int deep = Math.min(DEPTH, depth - p);
                for (int q = 0; q < deep; q++) {
                    copy(b.values(), b.at(p + q, j), b.step(), right[q], wide);
                }
                for (int i = 0; i < rows; i++) {
                    System.arraycopy(c.values(), c.at(i, j), sums, 0, wide);
                    int step = a.step();
                    int at = a.at(i, p);
                    int q = 0;
                    for (; q + 4 <= deep; q += 4, at += 4 * step) {
                        add(
                                left[at],
                                right[q],
                                left[at + step],
                                right[q + 1],
                                left[at + 2 * step],
                                right[q + 2],
                                left[at + 3 * step],
                                right[q + 3],
                                sums,
                                wide);
                    }
                    for (; q < deep; q++, at += step) {
                        add(left[at], right[q], sums, wide);
                    }
                    System.arraycopy(sums, 0, c.values(), c.at(i, j), wide);
                }
            }
            if (deeper) {
                stash(kernels, rows, wide, c.values(), c.at(0, j), c.row(), scratch.chains);
                scratch.chains.write(kernels, rows, wide, c.values(), c.at(0, j), c.row());
            }
        }
    }

    /** Adds finished chains to a sum, and begins others at 0. */
    private static void stash(
            DenseKernels kernels, int rows, int columns, float[] c, int cAt, int cRow, PairwiseSums chains) {
        chains.add(kernels, rows, columns, c, cAt, cRow);
        for (int i = 0; i < rows; i++) {
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
