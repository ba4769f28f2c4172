package hocket.workbench.sweeps;

import hocket.workbench.terminal.TextTable;
import hocket.workbench.terminal.TextTable.Kind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Prints trials for people: some results of each, then its settings, in a column each, or in one if these do not fit.
 *
 * @param head the names of the results
 */
record SettingsTable(List<String> head) {
    /**
     * A trial.
     *
     * @param figures the results, in the order of the header
     */
    record Row(List<String> figures, Map<String, String> settings) {}

    /** Returns the lines, none of them wider than the limit. */
    List<String> lines(List<Row> rows, int width) {
        if (rows.isEmpty()) {
            return List.of();
        }
        List<String> wide = table(rows, true).lines(width);
        return wide.stream().allMatch(line -> line.length() <= width)
                ? wide
                : table(rows, false).lines(width);
    }

    private TextTable table(List<Row> rows, boolean inColumns) {
        List<String> names = List.copyOf(rows.get(0).settings().keySet());
        List<Kind> kinds = new ArrayList<>(Collections.nCopies(head.size(), Kind.NUMBER));
        kinds.addAll(inColumns ? Collections.nCopies(names.size(), Kind.NUMBER) : List.of(Kind.WORDS));
        TextTable table = new TextTable(kinds.toArray(Kind[]::new));
        row(table, head, inColumns ? names : List.of("settings"));
        for (Row row : rows) {
            row(table, row.figures(), inColumns ? List.copyOf(row.settings().values()) : List.of(text(row)));
        }
        return table;
    }

    private static void row(TextTable table, List<String> figures, List<String> settings) {
        List<String> cells = new ArrayList<>(figures);
        cells.addAll(settings);
        table.row(cells.toArray(String[]::new));
    }

    private static String text(Row row) {
        return row.settings().entrySet().stream()
                .map(setting -> setting.getKey() + "=" + setting.getValue())
                .collect(Collectors.joining(" "));
    }
}
