package hocket.gan.tables;

import hocket.gan.parts.RowLayout.Kind;
import hocket.gan.parts.RowLayout.Span;
import hocket.gan.tables.TableData.Categories;
import hocket.gan.tables.TableData.ColumnData;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Categories, one-hot.
 *
 * @param categories in alphabetical order
 * @param counts of rows by category
 */
record CategoryColumn(String name, List<String> categories, List<Integer> counts) implements TableColumn {
    static final String KIND = "category";

    CategoryColumn {
        categories = List.copyOf(categories);
        counts = List.copyOf(counts);
    }

    /** The encoding of a column. */
    static CategoryColumn of(Categories column) {
        int[] counts = new int[column.categories().size()];
        Arrays.stream(column.values()).forEach(value -> counts[value]++);
        return new CategoryColumn(
                column.name(),
                column.categories(),
                Arrays.stream(counts).boxed().toList());
    }

    /** Writes values to encoded rows, whose span begins at a place. */
    static void encode(Categories column, float[] rows, int width, int begin) {
        for (int row = 0; row < column.values().length; row++) {
            rows[row * width + begin + column.values()[row]] = 1;
        }
    }

    @Override
    public List<Span> spans() {
        return List.of(new Span(Kind.CATEGORY, categories.size()));
    }

    @Override
    public List<String> cells() {
        List<String> cells = new ArrayList<>(List.of(KIND, name, ""));
        for (int i = 0; i < categories.size(); i++) {
            cells.add(categories.get(i));
            cells.add(counts.get(i).toString());
        }
        return cells;
    }

    @Override
    public Categories decode(float[] rows, int width, int begin) {
        int[] values = IntStream.range(0, rows.length / width)
                .map(row -> TableColumn.largest(rows, row * width + begin, categories.size()))
                .toArray();
        return new Categories(name, categories, values);
    }

    @Override
    public String text(ColumnData values, int row) {
        return categories.get(((Categories) values).values()[row]);
    }

    @Override
    public Categories known(String table, ColumnData values) {
        if (!(values instanceof Categories others)) {
            throw new IllegalArgumentException(
                    table + ": column " + name + " must have categories, has numbers; name it under categorical");
        }
        List<String> unknown = without(others.categories(), categories);
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException(table + ": column " + name + " has the unknown category "
                    + String.join(", ", unknown) + "; known are " + String.join(", ", categories));
        }
        int[] places =
                others.categories().stream().mapToInt(categories::indexOf).toArray();
        return new Categories(
                name,
                categories,
                Arrays.stream(others.values()).map(value -> places[value]).toArray());
    }

    @Override
    public String difference(TableColumn before) {
        if (!(before instanceof CategoryColumn former)) {
            return "column " + name + " had numbers, has categories";
        }
        List<String> unknown = without(categories, former.categories());
        List<String> missing = without(former.categories(), categories);
        if (!unknown.isEmpty()) {
            return "column " + name + " has the unknown category " + String.join(", ", unknown) + "; known are "
                    + String.join(", ", former.categories());
        } else if (!missing.isEmpty()) {
            return "column " + name + " has no category " + String.join(", ", missing) + " any more";
        }
        return equals(before) ? "" : "the categories of column " + name + " have other frequencies";
    }

    private static List<String> without(List<String> some, List<String> others) {
        return some.stream().filter(each -> !others.contains(each)).toList();
    }
}
