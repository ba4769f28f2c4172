package hocket.programs.jvm.kernels;

/**
 * A part of a product.
 *
 * @param index which one, of {@code count}
 * @param scratch the memory for it, which no other thread uses meanwhile
 */
public record WorkShare(int index, int count, Scratch scratch) {
    /** Rows of a result are divided in whole groups, columns in whole panels. */
    private static final int GROUP = 8;

    /** Returns the start of a part, a multiple of a unit except for the end. */
    public static int first(int part, int parts, int count, int unit) {
        if (part == 0 || part == parts) {
            return part == 0 ? 0 : count; // the usual case of one part, which needs no divisions
        }
        int units = (count + unit - 1) / unit;
        return Math.min(count, (int) ((long) units * part / parts) * unit);
    }

    /** Returns the first of some equal parts. */
    public int first(int parts) {
        return first(index, count, parts, 1);
    }

    /** Returns the first of the next share. */
    public int end(int parts) {
        return first(index + 1, count, parts, 1);
    }

    /** Returns its first row. */
    int firstRow(int rows) {
        return first(index, count, rows, GROUP);
    }

    /** Returns the first index of the next share. */
    int endRow(int rows) {
        return first(index + 1, count, rows, GROUP);
    }

    /** Returns its first column. */
    int firstColumn(int columns) {
        return first(index, count, columns, Scratch.PANEL);
    }

    /** Returns the first index of the next share. */
    int endColumn(int columns) {
        return first(index + 1, count, columns, Scratch.PANEL);
    }

    /** Returns whether columns are divided, not rows: each part gets a panel of columns, but there are too few rows. */
    boolean byColumns(int rows, int columns) {
        return count > 1 && rows < 2 * GROUP * count && columns >= Scratch.PANEL * count;
    }
}
