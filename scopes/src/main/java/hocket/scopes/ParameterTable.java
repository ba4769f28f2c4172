package hocket.scopes;

import hocket.scopes.Parameters.Cell;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Prints a store for people: path, shape, elements, kind of update, number of writes, and a last line of totals. */
final class ParameterTable {
    private static final List<String> TITLES = List.of("path", "shape", "elements", "kind", "written");
    private static final int ELEMENTS = 2;
    private static final int WRITTEN = 4;

    private ParameterTable() {}

    static String of(Collection<Cell> cells) {
        List<String> types = cells.stream()
                .map(cell -> cell.declaration().type().name())
                .distinct()
                .toList();
        List<List<String>> rows = new ArrayList<>();
        rows.add(TITLES);
        long total = 0;
        for (Cell cell : cells) {
            Declaration declaration = cell.declaration();
            Shape shape = declaration.shape();
            total += shape.size();
            rows.add(List.of(
                    declaration.path().text(),
                    types.size() == 1 ? shape.toString() : declaration.type() + shape.toString(),
                    count(shape.size()),
                    declaration.kind().word(),
                    count(cell.version())));
        }
        String arrays = cells.size() == 1 ? "1 array" : cells.size() + " arrays";
        rows.add(List.of(arrays, String.join(", ", types), count(total), "", ""));
        return print(rows);
    }

    private static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    private static String print(List<List<String>> rows) {
        StringBuilder format = new StringBuilder();
        for (int i = 0; i < TITLES.size(); i++) {
            int column = i;
            int width = rows.stream()
                    .mapToInt(row -> row.get(column).length())
                    .max()
                    .orElseThrow();
            boolean number = i == ELEMENTS || i == WRITTEN;
            format.append(i == 0 ? "" : "  ")
                    .append(number ? "%" : "%-")
                    .append(width)
                    .append("s");
        }
        return rows.stream()
                .map(row -> String.format(Locale.ROOT, format.toString(), row.toArray())
                        .stripTrailing())
                .collect(Collectors.joining("\n"));
    }
}
