package hocket.workbench.online;

import hocket.schedulers.Source.Column;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The format of a row from outside.
 *
 * @param columns the columns in order, at least one, with unique names
 */
public record RowFormat(List<Column> columns) {
    /** The largest row in bytes. */
    public static final int MOST_ROW_BYTES = 4 << 20;

    /** @throws IllegalArgumentException if there is no column, two have one name, or a row has more than 4 MiB */
    public RowFormat {
        columns = List.copyOf(columns);
        if (columns.isEmpty()) {
            throw new IllegalArgumentException("columns: there must be at least one");
        }
        Set<String> names = new HashSet<>();
        long bytes = 0;
        for (Column column : columns) {
            if (column.name().isBlank() || !names.add(column.name())) {
                throw new IllegalArgumentException(
                        "columns: each must have a name of its own, was \"" + column.name() + "\"");
            }
            bytes += (long) column.shape().size() * column.type().bytes();
        }
        if (bytes > MOST_ROW_BYTES) {
            throw new IllegalArgumentException(
                    "columns: a row may have " + MOST_ROW_BYTES + " bytes, these have " + bytes);
        }
    }

    /** Bytes of a row. */
    public int bytes() {
        int bytes = 0;
        for (int column = 0; column < columns.size(); column++) {
            bytes += bytes(column);
        }
        return bytes;
    }

    /** Returns the bytes of a column in a row. */
    int bytes(int column) {
        return columns.get(column).shape().size() * columns.get(column).type().bytes();
    }

    /** Returns the index of a column; -1 if there is none of this name. */
    public int indexOf(String name) {
        for (int column = 0; column < columns.size(); column++) {
            if (columns.get(column).name().equals(name)) {
                return column;
            }
        }
        return -1;
    }

    /** Returns the format as text, a line for each column: formats are equal if their texts are. */
    String text() {
        return columns.stream().map(Column::toString).collect(Collectors.joining("\n"));
    }

    @Override
    public String toString() {
        return columns.stream().map(Column::toString).collect(Collectors.joining(", "));
    }
}
