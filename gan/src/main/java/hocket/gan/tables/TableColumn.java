package hocket.gan.tables;

import hocket.gan.parts.RowLayout.Span;
import hocket.gan.tables.TableData.ColumnData;
import java.util.List;
import java.util.stream.IntStream;

/** The encoding of a column as numbers. */
sealed interface TableColumn permits NumberColumn, CategoryColumn {
    /** Returns its name in the header. */
    String name();

    /** Returns the spans of its numbers. */
    List<Span> spans();

    /** Returns its encoding as cells, which {@link #parse} reads. */
    List<String> cells();

    /** Returns the values of a number of encoded rows, whose spans begin at a place. */
    ColumnData decode(float[] rows, int width, int begin);

    /** Returns the text of a value. */
    String text(ColumnData values, int row);

    /** Returns how it differs from an earlier encoding, in words; empty if it does not. */
    String difference(TableColumn before);

    /**
     * Returns values of another table with the categories of this encoding.
     *
     * @param table its name, for messages
     * @throws IllegalArgumentException if a category is not known, or the values are of the other kind
     */
    ColumnData known(String table, ColumnData values);

    /** Reads what {@link #cells} wrote. */
    static TableColumn parse(List<String> cells) {
        List<String> rest = cells.subList(3, cells.size());
        if (cells.get(0).equals(NumberColumn.KIND)) {
            double[] all = rest.stream().mapToDouble(Double::parseDouble).toArray();
            List<Mode> modes = IntStream.range(0, all.length / 2)
                    .mapToObj(i -> new Mode(all[2 * i], all[2 * i + 1]))
                    .toList();
            return new NumberColumn(cells.get(1), Integer.parseInt(cells.get(2)), modes);
        }
        List<String> categories = IntStream.range(0, rest.size() / 2)
                .mapToObj(i -> rest.get(2 * i))
                .toList();
        List<Integer> counts = IntStream.range(0, rest.size() / 2)
                .mapToObj(i -> Integer.valueOf(rest.get(2 * i + 1)))
                .toList();
        return new CategoryColumn(cells.get(1), categories, counts);
    }

    /** Returns the place of the largest of some values. */
    static int largest(float[] values, int begin, int size) {
        int largest = 0;
        for (int i = 1; i < size; i++) {
            largest = values[begin + i] > values[begin + largest] ? i : largest;
        }
        return largest;
    }

    /** A Gaussian of a mixture. */
    record Mode(double mean, double deviation) {}
}
