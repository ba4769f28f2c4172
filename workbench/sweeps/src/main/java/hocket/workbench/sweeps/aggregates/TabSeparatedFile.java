package hocket.workbench.sweeps.aggregates;

import hocket.schedulers.checkpoint.DiskFailureText;
import hocket.scopes.Quoted;
import hocket.workbench.files.UserError;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The rows of a text file in UTF-8 whose cells are separated by tabs and whose first line names the columns. Empty lines and
 * lines that begin with # are skipped.
 */
record TabSeparatedFile(List<Row> rows) {
    private static final String TAB = "\t";
    private static final String MARK = "\uFEFF"; // some editors begin a file with it

    /**
     * A row.
     *
     * @param place file and line
     * @param cells by column
     */
    record Row(String place, Map<String, String> cells) {
        /** Returns a text; throws a {@link UserError} if it is empty. */
        String text(String column) {
            String text = cells.getOrDefault(column, "");
            if (text.isEmpty()) {
                throw new UserError(place + ": " + column + " is missing");
            }
            return text;
        }

        /** Returns a whole number; throws a {@link UserError} if it is none. */
        long whole(String column) {
            String text = text(column);
            try {
                return Long.parseLong(text);
            } catch (NumberFormatException e) {
                throw refused(column, "a whole number", text, e);
            }
        }

        /** Returns a finite number; throws a {@link UserError} if it is none. */
        double number(String column) {
            String text = text(column);
            double number;
            try {
                number = Double.parseDouble(text);
            } catch (NumberFormatException e) {
                throw refused(column, "a number", text, e);
            }
            if (!Double.isFinite(number)) {
                throw new UserError(place + ": " + column + " must be finite, was " + text);
            }
            return number;
        }

        private UserError refused(String column, String rule, String text, NumberFormatException e) {
            return new UserError(place + ": " + column + " must be " + rule + ", was \"" + Quoted.text(text) + "\"", e);
        }
    }

    /**
     * Reads a file.
     *
     * @param columns columns that it must have; others are ignored
     * @throws UserError if it cannot be read, has no rows or lacks a column, or a row has too few or too many cells
     */
    static TabSeparatedFile read(Path file, List<String> columns) {
        List<String> header = List.of();
        List<Row> rows = new ArrayList<>();
        int number = 0;
        for (String line : text(file).lines().toList()) {
            number++;
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            String place = file + ":" + number;
            List<String> cells = cells(line);
            if (header.isEmpty()) {
                requireColumns(place, columns, cells);
                header = cells;
            } else {
                rows.add(row(place, header, cells));
            }
        }
        if (header.isEmpty()) {
            throw new UserError(
                    file + " is empty: its first line must have " + String.join(", ", columns) + ", separated by tabs");
        }
        if (rows.isEmpty()) {
            throw new UserError(file + " has a header and no rows");
        }
        return new TabSeparatedFile(List.copyOf(rows));
    }

    private static String text(Path file) {
        try {
            String text = Files.readString(file);
            return text.startsWith(MARK) ? text.substring(1) : text;
        } catch (CharacterCodingException e) {
            throw new UserError(file + " is no text in UTF-8", e);
        } catch (IOException e) {
            throw new UserError(file + " cannot be read: " + DiskFailureText.of(e), e);
        }
    }

    private static List<String> cells(String line) {
        return List.of(line.split(TAB, -1)).stream().map(String::strip).toList();
    }

    private static void requireColumns(String place, List<String> columns, List<String> header) {
        for (String column : columns) {
            if (!header.contains(column)) {
                throw new UserError(place + ": there is no column " + column + ": the header must have "
                        + String.join(", ", columns) + ", separated by tabs");
            }
        }
        if (header.stream().distinct().count() < header.size()) {
            throw new UserError(place + ": the header has a column twice: " + Quoted.list(header));
        }
    }

    private static Row row(String place, List<String> header, List<String> cells) {
        if (cells.size() != header.size()) {
            throw new UserError(place + ": must have " + header.size() + " cells as the header has, separated by tabs,"
                    + " has " + cells.size());
        }
        Map<String, String> row = new LinkedHashMap<>();
        for (int i = 0; i < cells.size(); i++) {
            row.put(header.get(i), cells.get(i));
        }
        return new Row(place, row);
    }
}
