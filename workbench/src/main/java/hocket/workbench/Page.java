package hocket.workbench;

import java.util.ArrayList;
import java.util.List;

/** Lines of text under headings, broken at spaces to fit a terminal. */
final class Page {
    private final List<String> lines = new ArrayList<>();

    /** A heading, after a free line. */
    Page heading(String text) {
        if (!lines.isEmpty()) {
            lines.add("");
        }
        lines.add(text);
        return this;
    }

    /**
     * A paragraph behind a label.
     *
     * @param label what stands before the first line, indentation included
     * @param column where the text begins in every line
     */
    Page entry(String label, int column, String text) {
        StringBuilder line = new StringBuilder(label);
        boolean fresh = true;
        for (String word : text.split(" ", -1)) {
            if (!fresh && line.length() + 1 + word.length() > Terminal.COLUMNS) {
                lines.add(line.toString());
                line = new StringBuilder();
                fresh = true;
            }
            if (fresh) {
                line.append(" ".repeat(Math.max(line.isEmpty() ? 0 : 1, column - line.length())));
            } else {
                line.append(' ');
            }
            line.append(word);
            fresh = false;
        }
        lines.add(line.toString().stripTrailing());
        return this;
    }

    List<String> lines() {
        return lines;
    }
}
