package hocket.gan.tables;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import hocket.gan.data.DataException;
import hocket.gan.tables.TableData.Categories;
import hocket.gan.tables.TableData.ColumnData;
import hocket.gan.tables.TableData.Numbers;
import hocket.scopes.SimilarNames;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The rows of a CSV file (RFC 4180) in UTF-8, whose first line is the header. A refusal names file, line and column. */
final class TableFile {
    private static final Pattern NUMBER = Pattern.compile("[+-]?(\\d+[.]?\\d*|[.]\\d+)([eE][+-]?\\d{1,3})?");

    /** The cells that {@code pandas.read_csv} reads as missing. */
    private static final Set<String> MISSING = Set.of(
            "",
            "#N/A",
            "#N/A N/A",
            "#NA",
            "-1.#IND",
            "-1.#QNAN",
            "-NaN",
            "-nan",
            "1.#IND",
            "1.#QNAN",
            "<NA>",
            "N/A",
            "NA",
            "NULL",
            "NaN",
            "None",
            "n/a",
            "nan",
            "null");

    /** A record of the file. */
    private record Line(long number, List<String> cells) {}

    private final String name;
    private final List<String> header;
    private final List<Line> lines = new ArrayList<>();
    private int skipped;

    /**
     * @param name of the file, for messages
     * @throws DataException if the content is not UTF-8, has no header, names a column twice, a row has more or fewer
     *     cells than the header, or a cell is missing that must not
     */
    TableFile(String name, byte[] content, CsvTable.Missing missing) {
        this.name = name;
        List<Line> all = lines(name, content);
        if (all.isEmpty()) {
            throw new DataException(name, "is empty; expected a header and rows");
        }
        header = all.get(0).cells();
        requireCommas();
        Set<String> seen = new HashSet<>();
        for (String column : header) {
            if (!seen.add(column)) {
                throw new DataException(name, "line 1: two columns are called \"" + column + '"');
            }
        }
        all.subList(1, all.size()).forEach(line -> add(line, missing));
        if (lines.isEmpty()) {
            throw new DataException(
                    name,
                    "has no rows" + (skipped > 0 ? " without missing values: all " + skipped + " are skipped" : ""));
        }
    }

    private void requireCommas() {
        String only = header.size() == 1 ? header.get(0) : "";
        if (only.contains(";") || only.contains("\t")) {
            throw new DataException(
                    name,
                    "line 1: cells must be separated by commas, and this header has "
                            + (only.contains(";") ? "semicolons" : "tabs"));
        }
    }

    private static List<Line> lines(String name, byte[] content) {
        List<Line> lines = new ArrayList<>();
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(content))
                    .toString();
            for (CsvRecord each : CsvReader.builder()
                    .allowExtraFields(true)
                    .allowMissingFields(true)
                    .ofCsvRecord(text.startsWith("\uFEFF") ? text.substring(1) : text)) {
                lines.add(new Line(
                        each.getStartingLineNumber(),
                        each.getFields().stream().map(String::strip).toList()));
            }
        } catch (CharacterCodingException e) {
            throw new DataException(name, "is not UTF-8: convert it, such as by iconv -f latin1 -t utf8", e);
        } catch (CsvParseException e) {
            throw new DataException(name, "is not a CSV file: " + e.getMessage(), e);
        }
        return lines;
    }

    private void add(Line line, CsvTable.Missing missing) {
        if (line.cells().size() != header.size()) {
            throw new DataException(
                    name,
                    "line " + line.number() + ": has " + line.cells().size() + " cells, and the header has "
                            + header.size());
        }
        int gap = IntStream.range(0, header.size())
                .filter(i -> MISSING.contains(line.cells().get(i)))
                .findFirst()
                .orElse(-1);
        if (gap < 0) {
            lines.add(line);
        } else if (missing == CsvTable.Missing.SKIP) {
            skipped++;
        } else {
            throw new DataException(
                    name,
                    "line " + line.number() + ", column " + header.get(gap) + ": the value is missing, was \""
                            + line.cells().get(gap) + "\"; missing: skip leaves such rows out");
        }
    }

    /** Returns the number of rows that were skipped because a value is missing. */
    int skipped() {
        return skipped;
    }

    /**
     * Returns the values.
     *
     * @param categorical columns whose numbers are categories
     * @throws DataException if there is no such column, or a column has both numbers and text
     */
    TableData data(List<String> categorical) {
        categorical.forEach(column -> SimilarNames.require(header, column, "categorical: " + name + " has no column "));
        List<ColumnData> columns = IntStream.range(0, header.size())
                .<ColumnData>mapToObj(
                        i -> categorical.contains(header.get(i)) || !isMostlyNumbers(i) ? categories(i) : numbers(i))
                .toList();
        return new TableData(columns, lines.size());
    }

    private Stream<String> cells(int column) {
        return lines.stream().map(line -> line.cells().get(column));
    }

    private boolean isMostlyNumbers(int column) {
        return 2 * cells(column).filter(TableFile::isNumber).count() > lines.size();
    }

    private static boolean isNumber(String cell) {
        return NUMBER.matcher(cell).matches() && Float.isFinite(Float.parseFloat(cell));
    }

    private Numbers numbers(int column) {
        for (Line line : lines) {
            String cell = line.cells().get(column);
            if (!isNumber(cell)) {
                throw new DataException(
                        name,
                        "line " + line.number() + ", column " + header.get(column)
                                + ": must be a number as in most rows, was \"" + cell
                                + "\"; a column of categories is named under categorical");
            }
        }
        boolean isPlain = cells(column).noneMatch(cell -> cell.contains("e") || cell.contains("E"));
        int decimals = cells(column)
                .mapToInt(cell -> new BigDecimal(cell).scale())
                .max()
                .orElse(0);
        return new Numbers(
                header.get(column),
                isPlain ? decimals : -1,
                cells(column).mapToDouble(Double::parseDouble).toArray());
    }

    private Categories categories(int column) {
        List<String> categories = List.copyOf(new TreeSet<>(cells(column).toList()));
        return new Categories(
                header.get(column),
                categories,
                cells(column)
                        .mapToInt(cell -> Collections.binarySearch(categories, cell))
                        .toArray());
    }
}
