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

    private VectorProducts() {}

    /**
     * {@code C(i,j) = start(i) + sum over p of A(i,p)·B(p,j)}. One of A's strides is 1, and one of B's; C's columns lie next
     * to each other.
     *
     * @param exact whether nothing may be written beyond the last column; else their number is a multiple of 16
     * @param add whether start is the present value of C; else it is {@code bias(i)}, or 0 if that is null
     */
    static void multiply(
            DenseKernels kernels,
            int rows,
            int columns,
            int depth,
            Matrix a,
            Matrix b,
            Matrix c,
            boolean exact,
            boolean add,
            @Nullable Floats bias,
            Scratch scratch) {
        boolean packB = b.step() != 1 || (b.row() > PANEL && rows >= ROWS_WORTH_PACKING);
        boolean packA = a.row() == 1 && a.step() >= STEP_WORTH_PACKING && columns >= PANEL;
        boolean deeper = depth > Scratch.CHAIN;
        Matrix left = packA ? scratch.left : a;
        Matrix right = packB ? scratch.right : b;
        int panel = packB ? PANEL * DEPTH : PANEL;
        Matrix start = bias == null ? Matrix.ZEROS : new Matrix(bias.values(), bias.at(), 1, 0);
        for (int j = 0; j < columns; j += COLUMNS) {
            int wide = Math.min(COLUMNS, columns - j);
            int to = c.at(0, j);
            if (deeper) {
                scratch.chains.begin(rows * wide);
            }
            for (int p = 0; p < depth; p += DEPTH) {
                boolean begins = p % Scratch.CHAIN == 0;
                if (begins && p > 0) {
                    scratch.chains.add(kernels, rows, wide, c.values(), to, c.row());
                }
                int deep = Math.min(DEPTH, depth - p);
                int rightAt = packB ? 0 : b.at(p, j);
                if (b.step() != 1) {
                    VectorPanels.transpose(b.values(), b.at(p, j), b.step(), deep, wide, right.values(), scratch.tile);
                } else if (packB) {
                    VectorPanels.copy(b.values(), b.at(p, j), b.row(), deep, wide, right.values());
                }
                for (int i = 0; i < rows; i += ROWS) {
                    int high = Math.min(ROWS, rows - i);
                    int leftAt = packA ? 0 : a.at(i, p);
                    int group = packA ? LANES : high;
                    if (packA) {
                        VectorPanels.copyTurned(a.values(), a.at(i, p), a.step(), deep, high, left.values());
                    }
                    for (int k = 0; k < wide; k += PANEL) {
                        for (int g = 0; g < high; g += group) {
                            panel(
                                    Math.min(group, high - g),
                                    Math.min(PANEL, wide - k),
                                    deep,
                                    left,
                                    leftAt + g * DEPTH,
                                    right,
                                    rightAt + k / PANEL * panel,
                                    c,
                                    c.at(i + g, j + k),
                                    exact,
                                    p == 0 ? add : !begins,
                                    p == 0 ? start : Matrix.ZEROS,
                                    i + g,
                                    scratch.tile);
                        }
                    }
                }
            }
            if (deeper) {
                scratch.chains.add(kernels, rows, wide, c.values(), to, c.row());
                scratch.chains.write(kernels, rows, wide, c.values(), to, c.row());
            }
        }
    }

    /**
     * Multiplies some rows of a panel, with tiles as wide as its columns allow. Operands begin at an element: a part of a
     * matrix would be an object, because the compiler does not inline so much.
     *
     * @param first the row of start for the first row
     */
    private static void panel(
            int rows,
            int columns,
            int depth,
            Matrix a,
            int aAt,
            Matrix b,
            int bAt,
            Matrix c,
            int cAt,
            boolean exact,
            boolean go,
            Matrix start,
            int first,
            float[] tile) {
        for (int j = 0; j < columns; ) {
            int vectors = (columns - j + LENGTH - 1) / LENGTH;
            vectors = vectors >= WIDEST ? WIDEST : vectors >= 2 ? 2 : 1;
            int width = vectors * LENGTH;
            if (exact && j + width > columns) {
                edge(vectors, rows, columns - j, depth, a, aAt, b, bAt + j, c, cAt + j, go, tile);
            } else {
                strip(vectors, rows, depth, a, aAt, b, bAt + j, c.values(), cAt + j, c.row(), go, start, first);
            }
            j += width;
        }
    }

    /** Rows of some vectors each: as many at a time as fit, then what is left of them. */
    private static void strip(
            int vectors,
            int rows,
            int depth,
            Matrix a,
            int aAt,
            Matrix b,
            int bAt,
            float[] c,
            int cAt,
            int cRow,
            boolean go,
            Matrix start,
            int first) {
        int i = 0;
        int arranged = a.row() == 1 && a.step() == LANES && b.row() == PANEL ? 1 : 0;
        for (int tall = vectors == 1 ? 8 : 4; tall > 0; tall /= 2) {
            int some = (rows - i) & -tall;
            if (some > 0) {
                int aFrom = aAt + i * a.row();
                VectorTiles.multiply(
                        tall,
                        vectors,
                        arranged,
                        some,
                        depth,
                        a,
                        aFrom,
                        b,
                        bAt,
                        c,
                        cAt + i * cRow,
                        cRow,
                        go,
                        start,
                        first + i);
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
            Matrix a,
            int aAt,
            Matrix b,
            int bAt,
            Matrix c,
            int cAt,
            boolean go,
            float[] tile) {
        for (int i = 0; i < rows; i += Scratch.TILE_ROWS) {
            int n = Math.min(Scratch.TILE_ROWS, rows - i);
            int to = cAt + i * c.row();
            for (int r = 0; go && r < n; r++) {
                System.arraycopy(c.values(), to + r * c.row(), tile, r * PANEL, columns);
            }
            strip(vectors, n, depth, a, aAt + i * a.row(), b, bAt, tile, 0, PANEL, go, Matrix.ZEROS, 0);
            for (int r = 0; r < n; r++) {
                System.arraycopy(tile, r * PANEL, c.values(), to + r * c.row(), columns);
            }
        }
    }
}
