package hocket.gan.tables;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The values of a table by column.
 *
 * @param columns in the order of the header
 * @param count the number of rows
 */
record TableData(List<ColumnData> columns, int count) {
    /** The values of a column. */
    sealed interface ColumnData {
        /** The column's name in the header. */
        String name();

        /** Returns the values of the rows of these numbers, in this order. */
        ColumnData at(int... rows);

        /** Returns the value of a row: a number, or the place of its category. */
        double number(int row);
    }

    /**
     * A column of numbers.
     *
     * @param decimals digits after the point; below 0 if numbers have an exponent
     */
    record Numbers(String name, int decimals, double... values) implements ColumnData {
        @Override
        public Numbers at(int... rows) {
            return new Numbers(
                    name,
                    decimals,
                    Arrays.stream(rows).mapToDouble(row -> values[row]).toArray());
        }

        @Override
        public double number(int row) {
            return values[row];
        }
    }

    /**
     * A column of categories.
     *
     * @param categories in alphabetical order
     * @param values places among the categories
     */
    record Categories(String name, List<String> categories, int... values) implements ColumnData {
        /** Returns the numbers of the rows of each category, in order. */
        int[][] rowsByCategory() {
            int[] counts = new int[categories.size()];
            Arrays.stream(values).forEach(value -> counts[value]++);
            int[][] rows = Arrays.stream(counts).mapToObj(int[]::new).toArray(int[][]::new);
            for (int row = values.length - 1; row >= 0; row--) {
                rows[values[row]][--counts[values[row]]] = row;
            }
            return rows;
        }

        @Override
        public Categories at(int... rows) {
            return new Categories(
                    name,
                    categories,
                    Arrays.stream(rows).map(row -> values[row]).toArray());
        }

        @Override
        public double number(int row) {
            return values[row];
        }
    }

    TableData {
        columns = List.copyOf(columns);
    }

    /** Returns the names of the columns. */
    List<String> header() {
        return columns.stream().map(ColumnData::name).toList();
    }

    /** Returns the rows of these numbers, in this order. */
    TableData at(int... rows) {
        return new TableData(columns.stream().map(column -> column.at(rows)).toList(), rows.length);
    }

    /** Returns a hash code of each row: equal rows of tables of the same columns and categories have the same. */
    int[] rowHashes() {
        int[] hashes = new int[count];
        for (ColumnData column : columns) {
            for (int row = 0; row < count; row++) {
                hashes[row] = 31 * hashes[row] + Double.hashCode(column.number(row));
            }
        }
        return hashes;
    }

    /** Returns every sixth row, or the others. */
    TableData everySixth(boolean is) {
        return at(IntStream.range(0, count).filter(row -> row % 6 == 5 == is).toArray());
    }
}
