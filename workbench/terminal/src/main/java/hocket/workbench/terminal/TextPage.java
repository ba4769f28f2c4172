package hocket.workbench.terminal;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Text under headings, wrapped to fit a terminal. */
public final class TextPage {
    private static final int INDENT = 2;
    private static final int NARROWEST = 20;
    private static final int WIDEST_LABEL = 24;

    private final List<String> lines = new ArrayList<>();

    /** Adds a heading after an empty line. */
    public TextPage heading(String text) {
        if (!lines.isEmpty()) {
            gap();
        }
        return entry("", 0, text);
    }

    /**
     * Adds a paragraph after a label.
     *
     * @param label the text before the first line, with indentation
     * @param column the first column of the text, at least 20 before the last one
     */
    public TextPage entry(String label, int column, String text) {
        int start = Math.max(column, label.isEmpty() ? 0 : label.length() + 1);
        if (start > Terminal.COLUMNS - NARROWEST) {
            lines.add(TextTable.shortened(label, Terminal.COLUMNS));
            return entry("", column, text);
        }
        String first = broken(text, Terminal.COLUMNS - start).get(0);
        lines.add((label + " ".repeat(start - label.length()) + first).stripTrailing());
        String rest = text.substring(first.length()).stripLeading();
        if (!rest.isEmpty()) {
            broken(rest, Terminal.COLUMNS - column)
                    .forEach(line -> lines.add((" ".repeat(column) + line).stripTrailing()));
        }
        return this;
    }

    /** Adds an empty line. */
    public TextPage gap() {
        lines.add("");
        return this;
    }

    /** Adds an indented table. */
    public TextPage table(TextTable table) {
        table.lines(Terminal.COLUMNS - INDENT).forEach(line -> lines.add(" ".repeat(INDENT) + line));
        return this;
    }

    public List<String> lines() {
        return lines;
    }

    /** Returns the text column of entries with these labels, indented by two. */
    public static <T> int column(Collection<T> all, Function<T, String> label) {
        int widest =
                all.stream().mapToInt(each -> label.apply(each).length()).max().orElse(0);
        return 2 * INDENT + Math.min(widest, WIDEST_LABEL);
    }

    /** Joins texts by commas; returns the given text if there are none. */
    public static <T> String listed(Collection<T> all, Function<T, String> text, String none) {
        return all.isEmpty() ? none : all.stream().map(text).collect(Collectors.joining(", "));
    }

    /**
     * Wraps a text at spaces into at least one line. A word longer than a line is broken after a slash or at the end of
     * the line; file names, which begin with a slash, are not broken.
     */
    static List<String> broken(String text, int width) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String whole : text.split(" ", -1)) {
            String word = whole;
            if (!line.isEmpty() && line.length() + 1 + word.length() > width) {
                lines.add(line.toString());
                line = new StringBuilder();
            }
            while (line.isEmpty() && word.length() > width && !word.startsWith("/")) {
                int slash = word.lastIndexOf('/', width - 1);
                int end = slash > 0 ? slash + 1 : width;
                lines.add(word.substring(0, end));
                word = word.substring(end);
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }
}
