package hocket.programs.jvm;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

/**
 * Products of runs with runs, {@code C(i,j) = [C(i,j) +] the sum of products of run i and run j}, as 16 interleaved
 * partial sums each: nothing has to be turned, which pays where one of the two is few runs.
 */
final class VectorDots {
    private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_512;
    private static final int LANES = Scratch.LANES;
    private static final FloatVector IOTA = FloatVector.zero(SPECIES).addIndex(1);

    private static final VectorMask<Float> ODD_8 = odd(8);
    private static final VectorShuffle<Float> BY_8 = VectorShuffle.iota(SPECIES, 8, 1, true);

    private static final VectorMask<Float> ODD_4 = odd(4);
    private static final VectorShuffle<Float> BY_4 = VectorShuffle.iota(SPECIES, 4, 1, true);
    private static final VectorShuffle<Float> BACK_4 = VectorShuffle.iota(SPECIES, 12, 1, true);

    private static final VectorMask<Float> ODD_2 = odd(2);
    private static final VectorShuffle<Float> BY_2 = VectorShuffle.iota(SPECIES, 2, 1, true);
    private static final VectorShuffle<Float> BACK_2 = VectorShuffle.iota(SPECIES, 14, 1, true);

    private static final VectorMask<Float> ODD_1 = odd(1);
    private static final VectorShuffle<Float> BY_1 = VectorShuffle.iota(SPECIES, 1, 1, true);
    private static final VectorShuffle<Float> BACK_1 = VectorShuffle.iota(SPECIES, 15, 1, true);

    private VectorDots() {}

    /** The lanes whose number has this bit. */
    private static VectorMask<Float> odd(int bit) {
        boolean[] lanes = new boolean[LANES];
        for (int i = 0; i < LANES; i++) {
            lanes[i] = (i & bit) != 0;
        }
        return VectorMask.fromArray(SPECIES, lanes, 0);
    }

    static void multiply(
            int i0,
            int i1,
            int j0,
            int j1,
            int count,
            float[] a,
            int aAt,
            int aRow,
            float[] b,
            int bAt,
            int bRow,
            float[] c,
            int cAt,
            int cRow,
            boolean add,
            float[] tile) {
        for (int i = i0; i < i1; i += 4) {
            int rows = Math.min(4, i1 - i);
            for (int j = j0; j < j1; j += 4) {
                int wide = Math.min(4, j1 - j);
                if (VectorTiles.LENGTH == LANES && count <= Scratch.BLOCK) {
                    by4x4(count, a, aAt + i * aRow, aRow, rows, b, bAt + j * bRow, bRow, wide, tile);
                    addUp(tile);
                } else if (VectorTiles.LENGTH == LANES) {
                    blocks(count, a, aAt + i * aRow, aRow, rows, b, bAt + j * bRow, bRow, wide, tile);
                } else {
                    one(count, a, aAt + i * aRow, aRow, rows, b, bAt + j * bRow, bRow, wide, tile);
                }
                for (int r = 0; r < rows; r++) {
                    int to = cAt + (i + r) * cRow + j;
                    for (int s = 0; s < wide; s++) {
                        float sum = tile[4 * r + s];
                        c[to + s] = add ? c[to + s] + sum : sum;
                    }
                }
            }
        }
    }

    /** Block by block, and the blocks in FLOAT64. */
    private static void blocks(
            int count, float[] a, int aAt, int aRow, int rows, float[] b, int bAt, int bRow, int wide, float[] tile) {
        double[] sums = new double[LANES];
        for (int p = 0; p < count; p += Scratch.BLOCK) {
            by4x4(Math.min(Scratch.BLOCK, count - p), a, aAt + p, aRow, rows, b, bAt + p, bRow, wide, tile);
            addUp(tile);
            for (int k = 0; k < LANES; k++) {
                sums[k] += tile[k];
            }
        }
        for (int k = 0; k < LANES; k++) {
            tile[k] = (float) sums[k];
        }
    }

    private static void one(
            int count, float[] a, int aAt, int aRow, int rows, float[] b, int bAt, int bRow, int wide, float[] tile) {
        for (int r = 0; r < rows; r++) {
            for (int s = 0; s < wide; s++) {
                tile[4 * r + s] = VectorSums.sumOfProducts(a, aAt + r * aRow, b, bAt + s * bRow, count);
            }
        }
    }

    /** Of fewer than four runs the last one stands for those that are missing. */
    private static void by4x4(
            int count, float[] a, int aAt, int aRow, int rows, float[] b, int bAt, int bRow, int wide, float[] tile) {
        int a1 = rows > 1 ? aAt + aRow : aAt;
        int a2 = rows > 2 ? a1 + aRow : a1;
        int a3 = rows > 3 ? a2 + aRow : a2;
        int b1 = wide > 1 ? bAt + bRow : bAt;
        int b2 = wide > 2 ? b1 + bRow : b1;
        int b3 = wide > 3 ? b2 + bRow : b2;
        FloatVector zero = FloatVector.zero(SPECIES);
        FloatVector c00 = zero;
        FloatVector c01 = zero;
        FloatVector c02 = zero;
        FloatVector c03 = zero;
        FloatVector c10 = zero;
        FloatVector c11 = zero;
        FloatVector c12 = zero;
        FloatVector c13 = zero;
        FloatVector c20 = zero;
        FloatVector c21 = zero;
        FloatVector c22 = zero;
        FloatVector c23 = zero;
        FloatVector c30 = zero;
        FloatVector c31 = zero;
        FloatVector c32 = zero;
        FloatVector c33 = zero;
        int end = count & -LANES;
        for (int p = 0; p < end; p += LANES) {
            FloatVector w0 = FloatVector.fromArray(SPECIES, b, bAt + p);
            FloatVector w1 = FloatVector.fromArray(SPECIES, b, b1 + p);
            FloatVector w2 = FloatVector.fromArray(SPECIES, b, b2 + p);
            FloatVector w3 = FloatVector.fromArray(SPECIES, b, b3 + p);
            FloatVector v = FloatVector.fromArray(SPECIES, a, aAt + p);
            c00 = v.fma(w0, c00);
            c01 = v.fma(w1, c01);
            c02 = v.fma(w2, c02);
            c03 = v.fma(w3, c03);
            v = FloatVector.fromArray(SPECIES, a, a1 + p);
            c10 = v.fma(w0, c10);
            c11 = v.fma(w1, c11);
            c12 = v.fma(w2, c12);
            c13 = v.fma(w3, c13);
            v = FloatVector.fromArray(SPECIES, a, a2 + p);
            c20 = v.fma(w0, c20);
            c21 = v.fma(w1, c21);
            c22 = v.fma(w2, c22);
            c23 = v.fma(w3, c23);
            v = FloatVector.fromArray(SPECIES, a, a3 + p);
            c30 = v.fma(w0, c30);
            c31 = v.fma(w1, c31);
            c32 = v.fma(w2, c32);
            c33 = v.fma(w3, c33);
        }
        if (end < count) {
            VectorMask<Float> left = IOTA.lt(count - end);
            FloatVector w0 = zero.blend(FloatVector.fromArray(SPECIES, b, bAt + end), left);
            FloatVector w1 = zero.blend(FloatVector.fromArray(SPECIES, b, b1 + end), left);
            FloatVector w2 = zero.blend(FloatVector.fromArray(SPECIES, b, b2 + end), left);
            FloatVector w3 = zero.blend(FloatVector.fromArray(SPECIES, b, b3 + end), left);
            FloatVector v = zero.blend(FloatVector.fromArray(SPECIES, a, aAt + end), left);
            c00 = v.fma(w0, c00);
            c01 = v.fma(w1, c01);
            c02 = v.fma(w2, c02);
            c03 = v.fma(w3, c03);
            v = zero.blend(FloatVector.fromArray(SPECIES, a, a1 + end), left);
            c10 = v.fma(w0, c10);
            c11 = v.fma(w1, c11);
            c12 = v.fma(w2, c12);
            c13 = v.fma(w3, c13);
            v = zero.blend(FloatVector.fromArray(SPECIES, a, a2 + end), left);
            c20 = v.fma(w0, c20);
            c21 = v.fma(w1, c21);
            c22 = v.fma(w2, c22);
            c23 = v.fma(w3, c23);
            v = zero.blend(FloatVector.fromArray(SPECIES, a, a3 + end), left);
            c30 = v.fma(w0, c30);
            c31 = v.fma(w1, c31);
            c32 = v.fma(w2, c32);
            c33 = v.fma(w3, c33);
        }
        // four rounds of the tree, each for two vectors at once: one's sums in the even groups of lanes, the other's in
        // the odd
        c00.intoArray(tile, 0);
        c01.intoArray(tile, LANES);
        c02.intoArray(tile, 2 * LANES);
        c03.intoArray(tile, 3 * LANES);
        c10.intoArray(tile, 4 * LANES);
        c11.intoArray(tile, 5 * LANES);
        c12.intoArray(tile, 6 * LANES);
        c13.intoArray(tile, 7 * LANES);
        c20.intoArray(tile, 8 * LANES);
        c21.intoArray(tile, 9 * LANES);
        c22.intoArray(tile, 10 * LANES);
        c23.intoArray(tile, 11 * LANES);
        c30.intoArray(tile, 12 * LANES);
        c31.intoArray(tile, 13 * LANES);
        c32.intoArray(tile, 14 * LANES);
        c33.intoArray(tile, 15 * LANES);
    }

    /**
     * Adds up the lanes of 16 vectors to those of one: in each round what two vectors have in half of their lanes. Apart
     * from what makes the vectors, as the compiler loses sight of the last ones of a long method.
     */
    private static void addUp(float[] tile) {
        halve8(tile);
        halve4(tile);
        halve2(tile);
        halve1(tile);
    }

    private static void halve8(float[] tile) {
        for (int k = 0; k < 8 * LANES; k += LANES) {
            FloatVector x = FloatVector.fromArray(SPECIES, tile, k);
            FloatVector y = FloatVector.fromArray(SPECIES, tile, k + 8 * LANES);
            x.blend(y.rearrange(BY_8), ODD_8)
                    .add(x.rearrange(BY_8).blend(y, ODD_8))
                    .intoArray(tile, k);
        }
    }

    private static void halve4(float[] tile) {
        for (int k = 0; k < 4 * LANES; k += LANES) {
            FloatVector x = FloatVector.fromArray(SPECIES, tile, k);
            FloatVector y = FloatVector.fromArray(SPECIES, tile, k + 4 * LANES);
            x.blend(y.rearrange(BACK_4), ODD_4)
                    .add(x.rearrange(BY_4).blend(y, ODD_4))
                    .intoArray(tile, k);
        }
    }

    private static void halve2(float[] tile) {
        for (int k = 0; k < 2 * LANES; k += LANES) {
            FloatVector x = FloatVector.fromArray(SPECIES, tile, k);
            FloatVector y = FloatVector.fromArray(SPECIES, tile, k + 2 * LANES);
            x.blend(y.rearrange(BACK_2), ODD_2)
                    .add(x.rearrange(BY_2).blend(y, ODD_2))
                    .intoArray(tile, k);
        }
    }

    private static void halve1(float[] tile) {
        for (int k = 0; k < LANES; k += LANES) {
            FloatVector x = FloatVector.fromArray(SPECIES, tile, k);
            FloatVector y = FloatVector.fromArray(SPECIES, tile, k + LANES);
            x.blend(y.rearrange(BACK_1), ODD_1)
                    .add(x.rearrange(BY_1).blend(y, ODD_1))
                    .intoArray(tile, k);
        }
    }
}
