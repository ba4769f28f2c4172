package hocket.programs.jvm;

import org.jspecify.annotations.Nullable;

/** Memory in which products arrange their operands: one for each thread that computes a part, made once. */
final class Scratch {
    /** Depth of a block. */
    static final int DEPTH = 256;

    /** Columns of a block. */
    static final int COLUMNS = 256;

    /** Columns of a panel: a block is stored panel after panel, and within one row after row. */
    static final int PANEL = 64;

    /** Rows of {@link #tile}. */
    static final int TILE_ROWS = 8;

    /** A block of the right operand. */
    final float[] block = new float[DEPTH * COLUMNS + 16];

    /** Part of the result, where it must not be written in whole vectors. */
    final float[] tile = new float[TILE_ROWS * PANEL + 16];

    private float @Nullable [][] rows;

    /** The plain loops' rows of the right operand, made at the first call. */
    float[][] rows() {
        float[][] made = rows;
        if (made == null) {
            made = new float[PANEL][COLUMNS];
            rows = made;
        }
        return made;
    }
}
