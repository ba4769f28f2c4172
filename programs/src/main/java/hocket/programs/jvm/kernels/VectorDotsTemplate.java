package hocket.programs.jvm.kernels;

import hocket.settings.Registers;
import hocket.settings.Template;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;

/**
 * Products of runs with runs, {@code C(i,j) = [C(i,j) +] the sum of products of run i and run j}, as 16 interleaved
 * partial sums each: nothing has to be turned, which pays where one of the two is few runs.
 */
@Template("VectorDots")
final class VectorDotsTemplate {
    private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_512;
    private static final int LANES = Scratch.LANES;
    private static final FloatVector IOTA = FloatVector.zero(SPECIES).addIndex(1);

    private VectorDotsTemplate() {}

    /**
     * @param aStride between the runs of the left operand
     * @param bStride between those of the right one
     */
    static void multiply(
            int i0,
            int i1,
            int j0,
            int j1,
            int count,
            Floats left,
            Floats right,
            int aStride,
            int bStride,
            Floats result,
            int cRow,
            boolean add,
            float[] tile) {
        float[] a = left.values();
        float[] b = right.values();
        float[] c = result.values();
        for (int i = i0; i < i1; i += 4) {
            int rows = Math.min(4, i1 - i);
            int aAt = left.at() + i * aStride;
            for (int j = j0; j < j1; j += 4) {
                int wide = Math.min(4, j1 - j);
                int bAt = right.at() + j * bStride;
                if (VectorTiles.LENGTH == LANES && count <= Scratch.BLOCK) {
                    by4x4(count, a, aAt, rows, aStride, b, bAt, wide, bStride, tile);
                    VectorPanels.addUp(tile);
                } else if (VectorTiles.LENGTH == LANES) {
                    blocks(count, a, aAt, rows, aStride, b, bAt, wide, bStride, tile);
                } else {
                    one(count, a, aAt, rows, aStride, b, bAt, wide, bStride, tile);
                }
                for (int r = 0; r < rows; r++) {
                    int to = result.at() + (i + r) * cRow + j;
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
            int count,
            float[] a,
            int aAt,
            int rows,
            int aStride,
            float[] b,
            int bAt,
            int wide,
            int bStride,
            float[] tile) {
        double[] sums = new double[LANES];
        for (int p = 0; p < count; p += Scratch.BLOCK) {
            by4x4(Math.min(Scratch.BLOCK, count - p), a, aAt + p, rows, aStride, b, bAt + p, wide, bStride, tile);
            VectorPanels.addUp(tile);
            for (int k = 0; k < LANES; k++) {
                sums[k] += tile[k];
            }
        }
        for (int k = 0; k < LANES; k++) {
            tile[k] = (float) sums[k];
        }
    }

    private static void one(
            int count,
            float[] a,
            int aAt,
            int rows,
            int aStride,
            float[] b,
            int bAt,
            int wide,
            int bStride,
            float[] tile) {
        for (int r = 0; r < rows; r++) {
            for (int s = 0; s < wide; s++) {
                tile[4 * r + s] = VectorSums.sumOfProducts(a, aAt + r * aStride, b, bAt + s * bStride, count);
            }
        }
    }

    /** With fewer than four runs, the last one is repeated for missing ones. */
    private static void by4x4(
            int count,
            float[] a,
            int aAt,
            int rows,
            int aStride,
            float[] b,
            int bAt,
            int wide,
            int bStride,
            float[] tile) {
        @Registers int[] as = new int[4];
        @Registers int[] bs = new int[4];
        as[0] = aAt;
        bs[0] = bAt;
        for (int r = 1; r < 4; r++) {
            as[r] = rows > r ? as[r - 1] + aStride : as[r - 1];
            bs[r] = wide > r ? bs[r - 1] + bStride : bs[r - 1];
        }
        FloatVector zero = FloatVector.zero(SPECIES);
        @Registers FloatVector[][] sums = new FloatVector[4][4];
        for (int r = 0; r < 4; r++) {
            for (int s = 0; s < 4; s++) {
                sums[r][s] = zero;
            }
        }
        int end = count & -LANES;
        for (int p = 0; p < end; p += LANES) {
            @Registers FloatVector[] w = new FloatVector[4];
            for (int s = 0; s < 4; s++) {
                w[s] = FloatVector.fromArray(SPECIES, b, bs[s] + p);
            }
            for (int r = 0; r < 4; r++) {
                FloatVector v = FloatVector.fromArray(SPECIES, a, as[r] + p);
                for (int s = 0; s < 4; s++) {
                    sums[r][s] = v.fma(w[s], sums[r][s]);
                }
            }
        }
        if (end < count) {
            VectorMask<Float> left = IOTA.lt(count - end);
            @Registers FloatVector[] w = new FloatVector[4];
            for (int s = 0; s < 4; s++) {
                w[s] = zero.blend(FloatVector.fromArray(SPECIES, b, bs[s] + end), left);
            }
            for (int r = 0; r < 4; r++) {
                FloatVector v = zero.blend(FloatVector.fromArray(SPECIES, a, as[r] + end), left);
                for (int s = 0; s < 4; s++) {
                    sums[r][s] = v.fma(w[s], sums[r][s]);
                }
            }
        }
        // their lanes are added up elsewhere: the compiler loses sight of the last vectors of a long method
        for (int r = 0; r < 4; r++) {
            for (int s = 0; s < 4; s++) {
                sums[r][s].intoArray(tile, (4 * r + s) * LANES);
            }
        }
    }
}
