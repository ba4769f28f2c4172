package hocket.programs.jvm;

/** How products are divided, and which way weight gradients are summed. */
final class Parts {
    /** Rows of a result are divided in whole groups, columns in whole panels. */
    private static final int GROUP = 8;

    private static final int FEW = 32;

    private Parts() {}

    /** Where a part of the rows begins; part {@code parts} begins at the end. */
    static int row(int part, int parts, int rows) {
        return first(part, parts, rows, GROUP);
    }

    /** Where a part of the columns begins; part {@code parts} begins at the end. */
    static int column(int part, int parts, int columns) {
        return first(part, parts, columns, Scratch.PANEL);
    }

    /** Where a part begins, in multiples of a unit but for the end. */
    static int first(int part, int parts, int count, int unit) {
        int units = (count + unit - 1) / unit;
        return Math.min(count, (int) ((long) units * part / parts) * unit);
    }

    /** Whether to divide columns rather than rows: there are panels for all parts, and not as many groups. */
    static boolean byColumns(int parts, int rows, int columns) {
        return parts > 1 && rows < 2 * GROUP * parts && columns >= Scratch.PANEL * parts;
    }

    /** Whether a weight's gradient is summed by runs instead of by chains, since one side of it is so short. */
    static boolean few(int outputs, int inputs) {
        return outputs < FEW || inputs < FEW;
    }
}
