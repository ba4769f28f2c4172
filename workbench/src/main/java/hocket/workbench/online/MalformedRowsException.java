package hocket.workbench.online;

/** Rows from outside are not what their columns say. None of what was decoded together is used, and nothing else is lost. */
public final class MalformedRowsException extends Exception {
    /** Where there are no lines. */
    public static final long NO_LINE = 0;

    private final long line;
    private final String column;

    /**
     * @param line counted from 1 on; {@link #NO_LINE} where there are none
     * @param column its name; empty where it is no column's
     * @param sentence what it must be, and what it was
     */
    public MalformedRowsException(long line, String column, String sentence) {
        super((line == NO_LINE ? "" : "line " + line + (column.isEmpty() ? ": " : ", "))
                + (column.isEmpty() ? "" : "column " + column + ": ")
                + sentence);
        this.line = line;
        this.column = column;
    }

    /** The line, counted from 1 on; {@link #NO_LINE} where there are none. */
    public long line() {
        return line;
    }

    /** The column's name; empty where it is no column's. */
    public String column() {
        return column;
    }
}
