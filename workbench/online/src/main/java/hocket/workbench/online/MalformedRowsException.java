package hocket.workbench.online;

/**
 * Rows from outside that do not match their columns. None of the rows that were decoded with them is used, and nothing
 * else is lost.
 */
public final class MalformedRowsException extends Exception {
    /** The line number of data without lines. */
    public static final long NO_LINE = 0;

    private final long line;
    private final String column;

    /**
     * @param line counted from 1; {@link #NO_LINE} without lines
     * @param column its name; empty if the error concerns no column
     * @param sentence the rule and the value that breaks it
     */
    public MalformedRowsException(long line, String column, String sentence) {
        super((line == NO_LINE ? "" : "line " + line + (column.isEmpty() ? ": " : ", "))
                + (column.isEmpty() ? "" : "column " + column + ": ")
                + sentence);
        this.line = line;
        this.column = column;
    }

    /** Returns the line, counted from 1; {@link #NO_LINE} without lines. */
    public long line() {
        return line;
    }

    /** Returns the column's name; empty if the error concerns no column. */
    public String column() {
        return column;
    }
}
