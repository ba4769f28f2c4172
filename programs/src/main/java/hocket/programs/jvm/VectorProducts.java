package hocket.programs.jvm;

/**
 * Products by vectors. The right operand is arranged block by block in panels of 64 columns where it lies transposed, or
 * is used often enough to pay for it; each panel then meets all rows of the left one.
 */
final class VectorProducts {
    private static final int LENGTH = VectorTiles.LENGTH;

    /** As many vectors as a tile is wide at most: with short vectors, half the registers hold four rows of two. */
    private static final int WIDEST = LENGTH == 8 ? 2 : 4;

    private static final int DEPTH = Scratch.DEPTH;
    private static final int COLUMNS = Scratch.COLUMNS;
    private static final int PANEL = Scratch.PANEL;

    /** Rows of A that stay in the second-level cache while panels pass. */
    private static final int ROWS = 128;

    private static final float[] ZERO = new float[1];

    private VectorProducts() {}

    /**
     * {@code C(i,j) = start(i) + sum over p of A(i,p)·B(p,j)}, i from i0 to i1, j from j0 to j1.
     *
     * @param transposed whether B(p,j) is at {@code bAt + j·bRow + p} instead of {@code bAt + p·bRow + j}
     * @param exact whether nothing may be written beyond column j1; else up to the next multiple of 16
     * @param add whether start is what C holds; else it is {@code start[startAt + i]}, or 0 if null
     */
    static void multiply(
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
            float @org.jspecify.annotations.Nullable [] bias,
            int biasAt,
            Scratch scratch) {
        if (i1 <= i0 || j1 <= j0) {
            return;
        }
        float[] start = bias == null ? ZERO : bias;
        int startStep = bias == null ? 0 : 1;
        int startAt = bias == null ? 0 : biasAt;
        boolean pack = transposed || (i1 - i0 >= 64 && bRow > 128);
        for (int j = j0; j < j1; j += COLUMNS) {
            int columns = Math.min(COLUMNS, j1 - j);
            for (int p = 0; p < depth; p += DEPTH) {
                int deep = Math.min(DEPTH, depth - p);
                float[] from = b;
                int fromAt = bAt + p * bRow + j;
                int fromRow = bRow;
                int fromPanel = PANEL;
                if (pack) {
                    from = scratch.block;
                    fromAt = 0;
                    fromRow = PANEL;
                    fromPanel = PANEL * DEPTH;
                    if (transposed) {
                        transpose(b, bAt + j * bRow + p, bRow, deep, columns, from);
                    } else {
                        copy(b, bAt + p * bRow + j, bRow, deep, columns, from);
                    }
                }
                for (int i = i0; i < i1; i += ROWS) {
                    int rows = Math.min(ROWS, i1 - i);
                    for (int k = 0; k < columns; k += PANEL) {
                        panel(
                                rows,
                                Math.min(PANEL, columns - k),
                                deep,
                                a,
                                aAt + i * aRow + p * aStep,
                                aRow,
                                aStep,
                                from,
                                fromAt + k / PANEL * fromPanel,
                                fromRow,
                                c,
                                cAt + i * cRow + j + k,
                                cRow,
                                exact,
                                add || p > 0,
                                start,
                                startAt + i * startStep,
                                startStep,
                                scratch);
                    }
                }
            }
        }
    }

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
            Scratch scratch) {
        int whole = exact ? columns - columns % 16 : (columns + 15) & -16;
        int j = 0;
        for (; j + 4 * LENGTH <= whole && WIDEST == 4; j += 4 * LENGTH) {
            int r4 = rows & -4;
            VectorTiles.by4x4(
                    r4, depth, a, aAt, aRow, aStep, b, bAt + j, bRow, c, cAt + j, cRow, go, start, startAt, startStep);
            int at = aAt + r4 * aRow;
            int to = cAt + j + r4 * cRow;
            int st = startAt + r4 * startStep;
            if ((rows & 2) != 0) {
                VectorTiles.by2x4(
                        2, depth, a, at, aRow, aStep, b, bAt + j, bRow, c, to, cRow, go, start, st, startStep);
                at += 2 * aRow;
                to += 2 * cRow;
                st += 2 * startStep;
            }
            if ((rows & 1) != 0) {
                VectorTiles.by1x4(
                        1, depth, a, at, aRow, aStep, b, bAt + j, bRow, c, to, cRow, go, start, st, startStep);
            }
        }
        for (; j + 2 * LENGTH <= whole; j += 2 * LENGTH) {
            int r4 = rows & -4;
            VectorTiles.by4x2(
                    r4, depth, a, aAt, aRow, aStep, b, bAt + j, bRow, c, cAt + j, cRow, go, start, startAt, startStep);
            int at = aAt + r4 * aRow;
            int to = cAt + j + r4 * cRow;
            int st = startAt + r4 * startStep;
            if ((rows & 2) != 0) {
                VectorTiles.by2x2(
                        2, depth, a, at, aRow, aStep, b, bAt + j, bRow, c, to, cRow, go, start, st, startStep);
                at += 2 * aRow;
                to += 2 * cRow;
                st += 2 * startStep;
            }
            if ((rows & 1) != 0) {
                VectorTiles.by1x2(
                        1, depth, a, at, aRow, aStep, b, bAt + j, bRow, c, to, cRow, go, start, st, startStep);
            }
        }
        for (; j < whole; j += LENGTH) {
            narrow(rows, depth, a, aAt, aRow, aStep, b, bAt + j, bRow, c, cAt + j, cRow, go, start, startAt, startStep);
        }
        if (j < columns) {
            edge(rows, columns - j, depth, a, aAt, aRow, aStep, b, bAt + j, bRow, c, cAt + j, cRow, go, scratch.tile);
        }
    }

    private static void narrow(
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
        int r8 = rows & -8;
        VectorTiles.by8x1(r8, depth, a, aAt, aRow, aStep, b, bAt, bRow, c, cAt, cRow, go, start, startAt, startStep);
        int at = aAt + r8 * aRow;
        int to = cAt + r8 * cRow;
        int st = startAt + r8 * startStep;
        if ((rows & 4) != 0) {
            VectorTiles.by4x1(4, depth, a, at, aRow, aStep, b, bAt, bRow, c, to, cRow, go, start, st, startStep);
            at += 4 * aRow;
            to += 4 * cRow;
            st += 4 * startStep;
        }
        if ((rows & 2) != 0) {
            VectorTiles.by2x1(2, depth, a, at, aRow, aStep, b, bAt, bRow, c, to, cRow, go, start, st, startStep);
            at += 2 * aRow;
            to += 2 * cRow;
            st += 2 * startStep;
        }
        if ((rows & 1) != 0) {
            VectorTiles.by1x1(1, depth, a, at, aRow, aStep, b, bAt, bRow, c, to, cRow, go, start, st, startStep);
        }
    }

    /** The last columns, fewer than 16, by way of a tile of whole vectors; without a start other than 0. */
    private static void edge(
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
        int width = (columns + LENGTH - 1) / LENGTH * LENGTH;
        for (int i = 0; i < rows; i += Scratch.TILE_ROWS) {
            int n = Math.min(Scratch.TILE_ROWS, rows - i);
            if (go) {
                for (int r = 0; r < n; r++) {
                    System.arraycopy(c, cAt + (i + r) * cRow, tile, r * 16, columns);
                }
            }
            for (int j = 0; j < width; j += LENGTH) {
                narrow(n, depth, a, aAt + i * aRow, aRow, aStep, b, bAt + j, bRow, tile, j, 16, go, ZERO, 0, 0);
            }
            for (int r = 0; r < n; r++) {
                int to = cAt + (i + r) * cRow;
                for (int j = 0; j < columns; j++) {
                    c[to + j] = tile[r * 16 + j];
                }
            }
        }
    }

    /** Copies rows of B to panels. */
    private static void copy(float[] b, int bAt, int bRow, int depth, int columns, float[] block) {
        for (int k = 0; k < columns; k += PANEL) {
            int width = Math.min(PANEL, columns - k);
            int to = k * DEPTH;
            for (int p = 0; p < depth; p++) {
                System.arraycopy(b, bAt + p * bRow + k, block, to + p * PANEL, width);
            }
        }
    }

    /** Turns columns of B, which lie in runs, to rows of panels. */
    private static void transpose(float[] b, int bAt, int bRow, int depth, int columns, float[] block) {
        for (int k = 0; k < columns; k++) {
            int to = k / PANEL * PANEL * DEPTH + k % PANEL;
            int from = bAt + k * bRow;
            for (int p = 0; p < depth; p++) {
                block[to + p * PANEL] = b[from + p];
            }
        }
    }
}
