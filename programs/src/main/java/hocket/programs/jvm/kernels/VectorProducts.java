package hocket.programs.jvm.kernels;

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

    /** The number of rows from which a right operand is packed. */
    private static final int ROWS_WORTH_PACKING = 32;

    /** The stride from which a transposed left operand is packed. */
    private static final int STEP_WORTH_PACKING = 128;

    private static final float[] ZERO = new float[1];

    private VectorProducts() {}

    /**
     * {@code C(i,j) = start(i) + sum over p of A(i,p)·B(p,j)}, i from i0 to i1, j from j0 to j1.
     *
     * @param aRow distance from A(i,p) to A(i+1,p)
     * @param aStep distance from A(i,p) to A(i,p+1); one of the two is 1
     * @param transposed whether B(p,j) is at {@code j·bRow + p} instead of {@code p·bRow + j}
     * @param exact whether nothing may be written beyond column j1; else j1 − j0 is a multiple of 16
     * @param add whether start is the present value of C; else it is {@code bias(i)}, or 0 if that is null
     */
    static void multiply(
            DenseKernels kernels,
            int i0,
            int i1,
            int j0,
            int j1,
            int depth,
            Floats leftOperand,
            int aRow,
            int aStep,
            Floats rightOperand,
            int bRow,
            boolean transposed,
            Floats result,
            int cRow,
            boolean exact,
            boolean add,
            @Nullable Floats bias,
            Scratch scratch) {
        float[] a = leftOperand.values();
        float[] b = rightOperand.values();
        float[] c = result.values();
        int aAt = leftOperand.at();
        int bAt = rightOperand.at();
        int cAt = result.at();
        boolean packB = transposed || (bRow > PANEL && i1 - i0 >= ROWS_WORTH_PACKING);
        boolean packA = aRow == 1 && aStep >= STEP_WORTH_PACKING && j1 - j0 >= PANEL;
        for (int j = j0; j < j1; j += COLUMNS) {
            int columns = Math.min(COLUMNS, j1 - j);
            float[] start = bias == null ? ZERO : bias.values();
            int startAt = bias == null ? 0 : bias.at();
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
                        VectorPanels.transpose(b, bAt + j * bRow + p, bRow, deep, columns, right, scratch.tile);
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

    /** Multiplies some rows of a panel, with tiles as wide as its columns allow. */
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
        int i = 0;
        for (int tall = vectors == 1 ? 8 : 4; tall > 0; tall /= 2) {
            int some = (rows - i) & -tall;
            if (some > 0) {
                VectorTiles.multiply(
                        tall,
                        vectors,
                        some,
                        depth,
                        a,
                        aAt + i * aRow,
                        aRow,
                        aStep,
                        b,
                        bAt,
                        bRow,
                        c,
                        cAt + i * cRow,
                        cRow,
                        go,
                        start,
                        startAt + i * startStep,
                        startStep);
                i += some;
            }
        }
    }

    /** Computes the last columns in a tile, where no full vector fits; they start at 0 or at the present value. */
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
