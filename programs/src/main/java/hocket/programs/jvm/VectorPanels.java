package hocket.programs.jvm;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

/** Arranges blocks of operands in scratch memory, as {@link Scratch} says. */
final class VectorPanels {
    private static final VectorSpecies<Float> SPECIES = VectorTiles.SPECIES;
    private static final int LENGTH = VectorTiles.LENGTH;
    private static final int LANES = Scratch.LANES;
    private static final int PANEL = Scratch.PANEL;
    private static final int DEPTH = Scratch.DEPTH;

    private static final VectorSpecies<Float> WIDE = FloatVector.SPECIES_512;

    private static final VectorMask<Float> ODD_8 = odd(8);
    private static final VectorShuffle<Float> DOWN_8 = VectorShuffle.iota(WIDE, 8, 1, true);
    private static final VectorShuffle<Float> UP_8 = VectorShuffle.iota(WIDE, 8, 1, true);

    private static final VectorMask<Float> ODD_4 = odd(4);
    private static final VectorShuffle<Float> DOWN_4 = VectorShuffle.iota(WIDE, 4, 1, true);
    private static final VectorShuffle<Float> UP_4 = VectorShuffle.iota(WIDE, 12, 1, true);

    private static final VectorMask<Float> ODD_2 = odd(2);
    private static final VectorShuffle<Float> DOWN_2 = VectorShuffle.iota(WIDE, 2, 1, true);
    private static final VectorShuffle<Float> UP_2 = VectorShuffle.iota(WIDE, 14, 1, true);

    private static final VectorMask<Float> ODD_1 = odd(1);
    private static final VectorShuffle<Float> DOWN_1 = VectorShuffle.iota(WIDE, 1, 1, true);
    private static final VectorShuffle<Float> UP_1 = VectorShuffle.iota(WIDE, 15, 1, true);

    private VectorPanels() {}

    /** The lanes whose number has this bit. */
    private static VectorMask<Float> odd(int bit) {
        boolean[] lanes = new boolean[LANES];
        for (int i = 0; i < LANES; i++) {
            lanes[i] = (i & bit) != 0;
        }
        return VectorMask.fromArray(WIDE, lanes, 0);
    }

    /** Copies rows of B to panels. */
    static void copy(float[] b, int bAt, int bRow, int depth, int columns, float[] right) {
        for (int k = 0; k < columns; k += PANEL) {
            int width = Math.min(PANEL, columns - k);
            for (int p = 0; p < depth; p++) {
                int from = bAt + p * bRow + k;
                int to = k * DEPTH + p * PANEL;
                for (int j = 0; j < width; j += LENGTH) {
                    FloatVector.fromArray(SPECIES, b, from + j).intoArray(right, to + j);
                }
            }
        }
    }

    /** Copies rows of a turned A, of which A(i, p) is at {@code aAt + p·aStep + i}, to groups. */
    static void copyTurned(float[] a, int aAt, int aStep, int depth, int rows, float[] left) {
        for (int p = 0; p < depth; p++) {
            int from = aAt + p * aStep;
            int to = p * LANES;
            for (int i = 0; i < rows; i += LANES, to += LANES * DEPTH) {
                for (int l = 0; l < LANES; l += LENGTH) {
                    FloatVector.fromArray(SPECIES, a, from + i + l).intoArray(left, to + l);
                }
            }
        }
    }

    /** Turns columns of B, which lie in runs, to rows of panels; rows beyond the depth get what is in the runs' padding. */
    static void transpose(float[] b, int bAt, int bRow, int depth, int columns, float[] right) {
        int whole = LENGTH == LANES ? columns & -LANES : 0;
        for (int k = 0; k < whole; k += LANES) {
            squares(b, bAt + k * bRow, bRow, depth, right, k / PANEL * PANEL * DEPTH + k % PANEL, PANEL);
        }
        for (int k = whole; k < columns; k++) {
            int to = k / PANEL * PANEL * DEPTH + k % PANEL;
            int from = bAt + k * bRow;
            for (int p = 0; p < depth; p++) {
                right[to + p * PANEL] = b[from + p];
            }
        }
    }

    /** Rows as columns, as {@link DenseKernels#turn} says; what does not fill squares is left. */
    static void turnSquares(
            float[] from, int rows, int firstColumn, int columns, int fromStride, float[] to, int toStride) {
        for (int r = 0; r + LANES <= rows; r += LANES) {
            int at = r * fromStride + firstColumn;
            squares(from, at, fromStride, columns & -LANES, to, firstColumn * toStride + r, toStride);
        }
    }

    /**
     * Turns 16 × 16 numbers at a time: in four rounds, rows whose numbers differ in one bit exchange the lanes whose
     * numbers do. A method a round, and what is between them in memory: the compiler loses sight of the vectors of one long
     * method, and makes objects of the last ones.
     */
    private static void squares(float[] b, int bAt, int bRow, int depth, float[] right, int to, int step) {
        for (int p = 0; p < depth; p += LANES) {
            int into = to + p * step;
            round8(b, bAt + p, bRow, right, into, step);
            round4(right, into, step);
            round2(right, into, step);
            round1(right, into, step);
        }
    }

    private static void round8(float[] b, int at, int bRow, float[] right, int into, int step) {
        for (int i = 0; i < 8; i++) {
            int row = into + i * step;
            FloatVector low = FloatVector.fromArray(WIDE, b, at + i * bRow);
            FloatVector high = FloatVector.fromArray(WIDE, b, at + (i + 8) * bRow);
            low.blend(high.rearrange(UP_8), ODD_8).intoArray(right, row);
            low.rearrange(DOWN_8).blend(high, ODD_8).intoArray(right, row + 8 * step);
        }
    }

    private static void round4(float[] right, int into, int step) {
        for (int i = 0; i < 8; i++) {
            int row = into + ((i & 3) + ((i & 4) << 1)) * step;
            FloatVector low = FloatVector.fromArray(WIDE, right, row);
            FloatVector high = FloatVector.fromArray(WIDE, right, row + 4 * step);
            low.blend(high.rearrange(UP_4), ODD_4).intoArray(right, row);
            low.rearrange(DOWN_4).blend(high, ODD_4).intoArray(right, row + 4 * step);
        }
    }

    private static void round2(float[] right, int into, int step) {
        for (int i = 0; i < 8; i++) {
            int row = into + ((i & 1) + ((i & 6) << 1)) * step;
            FloatVector low = FloatVector.fromArray(WIDE, right, row);
            FloatVector high = FloatVector.fromArray(WIDE, right, row + 2 * step);
            low.blend(high.rearrange(UP_2), ODD_2).intoArray(right, row);
            low.rearrange(DOWN_2).blend(high, ODD_2).intoArray(right, row + 2 * step);
        }
    }

    private static void round1(float[] right, int into, int step) {
        for (int i = 0; i < 8; i++) {
            int row = into + (i << 1) * step;
            FloatVector low = FloatVector.fromArray(WIDE, right, row);
            FloatVector high = FloatVector.fromArray(WIDE, right, row + 1 * step);
            low.blend(high.rearrange(UP_1), ODD_1).intoArray(right, row);
            low.rearrange(DOWN_1).blend(high, ODD_1).intoArray(right, row + 1 * step);
        }
    }
}
