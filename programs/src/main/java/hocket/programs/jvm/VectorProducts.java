package hocket.programs.jvm;

import org.jspecify.annotations.Nullable;

/**
 * Multiplies matrices by vector instructions. Deep products are summed in chains, and the chains are summed pairwise. Operands
 * are arranged block by block in scratch memory where they lie transposed or far apart, and are used often enough to pay for
 * it; then each panel of columns meets all rows.
 */
final class VectorProducts {
    private static final int LENGTH = VectorTiles.LENGTH;

    /** Vectors in a row of the widest tile: of short ones two, of which four rows fit in half the registers. */
    private static final int WIDEST = LENGTH == 8 ? 2 : 4;

    private static final int DEPTH = Scratch.DEPTH;
    private static final int COLUMNS = Scratch.COLUMNS;
    private static final int PANEL = Scratch.PANEL;
    private static final int ROWS = Scratch.ROWS;
    private static final int LANES = Scratch.LANES;

    /** From this many rows on a right operand's rows are brought together. */
    private static final int ROWS_WORTH_PACKING = 32;

    /** From this distance on a turned left operand's rows are brought together. */
    private static final int STEP_WORTH_PACKING = 128;

    private static final float[] ZERO = new float[1];

    private VectorProducts() {}

    /**
     * {@code C(i,j) = start(i) + sum over p of A(i,p)·B(p,j)}, i from i0 to i1, j from j0 to j1.
     *
     * @param aRow distance from A(i,p) to A(i+1,p)
     * @param aStep distance from A(i,p) to A(i,p+1); one of the two is 1
     * @param transposed whether B(p,j) is at {@code bAt + j·bRow + p} instead of {@code bAt + p·bRow + j}
     * @param exact whether nothing may be written beyond column j1; else j1 − j0 is a multiple of 16
     * @param add whether start is what C holds; else it is {@code bias[biasAt + i]}, or 0 if that is null
     */
    static void multiply(
            DenseKernels kernels,
            int i0,
            int i1,
            int j0,
            int j1,
            int depth,
            float[] a,
            int aAt,
            int aRow,
            int aStep,
            float[] b,
            int bAt,
            int bRow,
            boolean transposed,
            float[] c,
            int cAt,
            int cRow,
            boolean exact,
            boolean add,
            float @Nullable [] bias,
            int biasAt,
            Scratch scratch) {
        boolean packB = transposed || (bRow > PANEL && i1 - i0 >= ROWS_WORTH_PACKING);
        boolean packA = aRow == 1 && aStep >= STEP_WORTH_PACKING && j1 - j0 >= PANEL;
        for (int j = j0; j < j1; j += COLUMNS) {
            int columns = Math.min(COLUMNS, j1 - j);
            float[] start = bias == null ? ZERO : bias;
            int startAt = bias == null ? 0 : biasAt;
            int startStep = bias == null ? 0 : 1;
            boolean deeper = depth > Scratch.CHAIN;
            if (deeper) {
                scratch.chains.begin((i1 - i0) * columns);
            }
            for (int p = 0; p < depth; p += DEPTH) {
                boolean first = p % Scratch.CHAIN == 0;
                if (first && p > 0) {
                    scratch.chains.add(kernels, i0, i1, columns, c, cAt + j, cRow);
                    start = ZERO;
                    startAt = 0;
                    startStep = 0;
                }
                int deep = Math.min(DEPTH, depth - p);
                float[] right = b;
                int rightAt = bAt + p * bRow + j;
                int rightRow = bRow;
                int rightPanel = PANEL;
                if (packB) {
                    right = scratch.right;
                    rightAt = 0;
                    rightRow = PANEL;
                    rightPanel = PANEL * DEPTH;
                    if (transposed) {
                        VectorPanels.transpose(b, bAt + j * bRow + p, bRow, deep, columns, right);
                    } else {
                        VectorPanels.copy(b, bAt + p * bRow + j, bRow, deep, columns, right);
                    }
                }
                for (int i = i0; i < i1; i += ROWS) {
                    int rows = Math.min(ROWS, i1 - i);
                    float[] left = a;
                    int leftAt = aAt + i * aRow + p * aStep;
                    int leftStep = aStep;
                    int group = rows;
                    if (packA) {
                        left = scratch.left;
                        VectorPanels.copyTurned(a, leftAt, aStep, deep, rows, left);
                        leftAt = 0;
                        leftStep = LANES;
                        group = LANES;
                    }
                    for (int k = 0; k < columns; k += PANEL) {
                        for (int g = 0; g < rows; g += group) {
                            panel(
                                    Math.min(group, rows - g),
                                    Math.min(PANEL, columns - k),
                                    deep,
                                    left,
                                    leftAt + g * DEPTH,
                                    aRow,
                                    leftStep,
                                    right,
                                    rightAt + k / PANEL * rightPanel,
                                    rightRow,
                                    c,
                                    cAt + (i + g) * cRow + j + k,
                                    cRow,
                                    exact,
                                    p == 0 ? add : !first,
                                    start,
                                    startAt + (i + g) * startStep,
                                    startStep,
                                    scratch.tile);
                        }
                    }
                }
            }
            if (deeper) {
                scratch.chains.add(kernels, i0, i1, columns, c, cAt + j, cRow);
                scratch.chains.write(kernels, i0, i1, columns, c, cAt + j, cRow);
            }
        }
    }

    /** Some rows of a panel, as wide tiles as there are columns for. */
    private static void panel(
            int rows,
            int columns,
            int depth,
            float[] a,
            int aAt,
            int aRow,
            int aStep,
            float[] b,
            int bAt,
            int bRow,
            float[] c,
            int cAt,
            int cRow,
            boolean exact,
            boolean go,
            float[] start,
            int startAt,
            int startStep,
            float[] tile) {
        for (int j = 0; j < columns; ) {
            int vectors = (columns - j + LENGTH - 1) / LENGTH;
            vectors = vectors >= WIDEST ? WIDEST : vectors >= 2 ? 2 : 1;
            int width = vectors * LENGTH;
            if (exact && j + width > columns) {
                edge(
                        vectors,
                        rows,
                        columns - j,
                        depth,
                        a,
                        aAt,
                        aRow,
                        aStep,
                        b,
                        bAt + j,
                        bRow,
                        c,
                        cAt + j,
                        cRow,
                        go,
                        tile);
            } else {
                strip(
                        vectors, rows, depth, a, aAt, aRow, aStep, b, bAt + j, bRow, c, cAt + j, cRow, go, start,
                        startAt, startStep);
            }
            j += width;
        }
    }

    /** Rows of some vectors each: as many at a time as fit, then what is left of them. */
    private static void strip(
            int vectors,
            int rows,
            int depth,
            float[] a,
            int aAt,
            int aRow,
            int aStep,
            float[] b,
            int bAt,
            int bRow,
            float[] c,
            int cAt,
            int cRow,
            boolean go,
            float[] start,
            int startAt,
            int startStep) {
        int whole = rows & (vectors == 1 ? -8 : -4);
        if (whole > 0) {
            switch (vectors) {
                case 4 ->
                    VectorTiles.by4x4(
                            whole, depth, a, aAt, aRow, aStep, b, bAt, bRow, c, cAt, cRow, go, start, startAt,
                            startStep);
                case 2 ->
                    VectorTiles.by4x2(
                            whole, depth, a, aAt, aRow, aStep, b, bAt, bRow, c, cAt, cRow, go, start, startAt,
                            startStep);
                default ->
                    VectorTiles.by8x1(
                            whole, depth, a, aAt, aRow, aStep, b, bAt, bRow, c, cAt, cRow, go, start, startAt,
                            startStep);
            }
        }
        int at = aAt + whole * aRow;
        int to = cAt + whole * cRow;
        int st = startAt + whole * startStep;
        if (vectors == 1 && (rows & 4) != 0) {
            VectorTiles.by4x1(4, depth, a, at, aRow, aStep, b, bAt, bRow, c, to, cRow, go, start, st, startStep);
            at += 4 * aRow;
            to += 4 * cRow;
            st += 4 * startStep;
        }
        if ((rows & 2) != 0) {
            switch (vectors) {
                case 4 ->
                    VectorTiles.by2x4(
                            2, depth, a, at, aRow, aStep, b, bAt, bRow, c, to, cRow, go, start, st, startStep);
                case 2 ->
                    VectorTiles.by2x2(
                            2, depth, a, at, aRow, aStep, b, bAt, bRow, c, to, cRow, go, start, st, startStep);
                default ->
                    VectorTiles.by2x1(
                            2, depth, a, at, aRow, aStep, b, bAt, bRow, c, to, cRow, go, start, st, startStep);
            }
            at += 2 * aRow;
            to += 2 * cRow;
            st += 2 * startStep;
        }
        if ((rows & 1) != 0) {
            switch (vectors) {
                case 4 ->
                    VectorTiles.by1x4(
                            1, depth, a, at, aRow, aStep, b, bAt, bRow, c, to, cRow, go, start, st, startStep);
                case 2 ->
                    VectorTiles.by1x2(
                            1, depth, a, at, aRow, aStep, b, bAt, bRow, c, to, cRow, go, start, st, startStep);
                default ->
                    VectorTiles.by1x1(
                            1, depth, a, at, aRow, aStep, b, bAt, bRow, c, to, cRow, go, start, st, startStep);
            }
        }
    }

    /** The last columns, where a whole vector must not be written, by way of a tile; they start at 0 or go on. */
    private static void edge(
            int vectors,
            int rows,
            int columns,
            int depth,
            float[] a,
            int aAt,
            int aRow,
            int aStep,
            float[] b,
            int bAt,
            int bRow,
            float[] c,
            int cAt,
            int cRow,
            boolean go,
            float[] tile) {
        for (int i = 0; i < rows; i += Scratch.TILE_ROWS) {
            int n = Math.min(Scratch.TILE_ROWS, rows - i);
            if (go) {
                for (int r = 0; r < n; r++) {
                    int from = cAt + (i + r) * cRow;
                    for (int j = 0; j < columns; j++) {
                        tile[r * PANEL + j] = c[from + j];
                    }
                }
            }
            strip(vectors, n, depth, a, aAt + i * aRow, aRow, aStep, b, bAt, bRow, tile, 0, PANEL, go, ZERO, 0, 0);
            for (int r = 0; r < n; r++) {
                int to = cAt + (i + r) * cRow;
                for (int j = 0; j < columns; j++) {
                    c[to + j] = tile[r * PANEL + j];
                }
            }
        }
    }
}
