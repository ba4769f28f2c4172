package hocket.workbench.terminal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A table that fits a terminal: if it is too wide, texts are wrapped, then names are shortened in the middle; numbers
 * stay complete.
 */
public final class TextTable {
    /** The kind of a column. */
    public enum Kind {
        /** A name or path, which may be shortened. */
        NAME,
        /** A number, right-aligned. */
        NUMBER,
        /** A text, which may be wrapped. */
        WORDS
    }

    private static final int GAP = 2;
    private static final int NARROWEST = 10;

    private final Kind[] kinds;
    private final List<List<String>> rows = new ArrayList<>();

    public TextTable(Kind... kinds) {
        this.kinds = kinds.clone();
    }

    /** Adds a row, with a cell for each column. */
    public TextTable row(String... cells) {
        if (cells.length != kinds.length) {
            throw new IllegalArgumentException(
                    "the table has " + kinds.length + " columns, got " + Arrays.toString(cells));
        }
        rows.add(List.of(cells));
        return this;
    }

    /** Adds a line over all columns, as a heading of the rows below. */
    public TextTable over(String text) {
        rows.add(List.of(text));
        return this;
    }

    /** Returns the lines, none of them wider than the limit. */
    public List<String> lines(int width) {
        int[] widths = new int[kinds.length];
        for (List<String> row : rows) {
            for (int i = 0; i < kinds.length && row.size() == kinds.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        int gaps = kinds.length - 1;
        boolean words = List.of(kinds).contains(Kind.WORDS); // so that columns do not touch
        int gap = words || Arrays.stream(widths).sum() + GAP * gaps <= width ? GAP : 1;
        narrow(widths, width - gap * gaps);
        List<String> lines = new ArrayList<>();
        for (List<String> row : rows) {
            if (row.size() == kinds.length) {
                lines.addAll(lines(row, widths, gap));
            } else {
                lines.add(shortened(row.get(0), width));
            }
        }
        return lines;
    }

    /** Narrows columns, the widest first, until they fit. */
    private void narrow(int[] widths, int room) {
        int excess = Arrays.stream(widths).sum() - room;
        for (Kind kind : List.of(Kind.WORDS, Kind.NAME)) {
            while (excess > 0) {
                int widest = IntStream.range(0, kinds.length)
                        .filter(i -> kinds[i] == kind)
                        .reduce(-1, (most, i) -> most < 0 || widths[i] > widths[most] ? i : most);
                if (widest < 0 || widths[widest] <= NARROWEST) {
                    break;
                }
                widths[widest]--;
                excess--;
            }
        }
    }

    private List<String> lines(List<String> row, int[] widths, int gap) {
        List<List<String>> cells = IntStream.range(0, kinds.length)
                .mapToObj(i -> cell(kinds[i], row.get(i), widths[i]))
                .toList();
        int height = cells.stream().mapToInt(List::size).max().orElse(0);
        List<String> lines = new ArrayList<>();
        for (int y = 0; y < height; y++) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < kinds.length; i++) {
                String part = y < cells.get(i).size() ? cells.get(i).get(y) : "";
                String room = " ".repeat(widths[i] - part.length());
                line.append(" ".repeat(i == 0 ? 0 : gap)).append(kinds[i] == Kind.NUMBER ? room + part : part + room);
            }
            lines.add(line.toString().stripTrailing());
        }
        return lines;
    }

    private static List<String> cell(Kind kind, String text, int width) {
        return kind == Kind.WORDS ? TextPage.broken(text, width) : List.of(shortened(text, width));
    }

    /**
     * Shortens a name in the middle if it is too long, keeping its last part if possible: {@code generator/…/conv1}.
     */
    static String shortened(String name, int width) {
        if (name.length() <= width) {
            return name;
        }
        int last = name.length() - Math.max(0, name.lastIndexOf('/'));
        int tail = last <= width * 2 / 3 ? last : width / 2;
        return name.substring(0, width - 1 - tail) + "…" + name.substring(name.length() - tail);
    }
}
