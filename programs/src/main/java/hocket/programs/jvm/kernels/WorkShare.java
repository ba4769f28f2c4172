package hocket.programs.jvm.kernels;

import hocket.programs.jvm.dense.ProductBlocking;

/**
 * A part of a product.
 *
 * @param index which one, of {@code count}
 * @param scratch the memory for it, which no other thread uses meanwhile
 */
public record WorkShare(int index, int count, Scratch scratch) {
    /** Rows of a result are divided in whole groups, columns in whole panels. */
    private static final int GROUP = 8;

    /** Returns the first of some equal parts. */
    public int first(int parts) {
        return ProductBlocking.first(index, count, parts, 1);
    }

    /** Returns the first of the next share. */
    public int end(int parts) {
        return ProductBlocking.first(index + 1, count, parts, 1);
    }

    /** Returns its first row. */
    int firstRow(int rows) {
        return ProductBlocking.first(index, count, rows, GROUP);
    }

    /** Returns the first index of the next share. */
    int endRow(int rows) {
        return ProductBlocking.first(index + 1, count, rows, GROUP);
    }

    /** Returns its first column. */
    int firstColumn(int columns) {
        return ProductBlocking.first(index, count, columns, Scratch.PANEL);
    }

    /** Returns the first index of the next share. */
    int endColumn(int columns) {
        return ProductBlocking.first(index + 1, count, columns, Scratch.PANEL);
    }

    /** Returns whether columns are divided, not rows: each part gets a panel of columns, but there are too few rows. */
    boolean byColumns(int rows, int columns) {
        return count > 1 && rows < 2 * GROUP * count && columns >= Scratch.PANEL * count;
    }
}
