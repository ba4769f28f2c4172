package hocket.gan.tables;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.LineDelimiter;
import hocket.gan.parts.RowLayout;
import hocket.gan.tables.TableData.Categories;
import hocket.gan.tables.TableData.Numbers;
import hocket.schedulers.Source.Column;
import hocket.scopes.Heap;
import hocket.scopes.Stream;
import hocket.scopes.Streams;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The encoding of the rows of a table as numbers. Its text is the encoding of a column of a source, so that it is kept with a
 * run: a CSV record for each column of the table.
 *
 * @param columns in the order of the header
 */
public record TableEncoding(List<TableColumn> columns) {
    private static final int MOST_VALUES = Integer.MAX_VALUE - 8;
    private static final Stream RANDOM = Streams.seed(0).at("table/modes");

    public TableEncoding {
        columns = List.copyOf(columns);
    }

    /**
     * An encoded table.
     *
     * @param rows row-major
     */
    record Encoded(TableEncoding encoding, float... rows) {}

    /** Fits an encoding to a table and encodes it; the same table gives the same. */
    static Encoded encode(TableData table, int modes) {
        List<TableColumn> columns = new ArrayList<>();
        int[][] drawn = new int[table.columns().size()][table.count()];
        for (int i = 0; i < drawn.length; i++) {
            columns.add(
                    table.columns().get(i) instanceof Numbers numbers
                            ? NumberColumn.fit(numbers, modes, RANDOM.generator(i), drawn[i])
                            : CategoryColumn.of((Categories) table.columns().get(i)));
        }
        TableEncoding encoding = new TableEncoding(columns);
        int width = encoding.layout().size();
        requireFits(encoding, (double) width * table.count());
        float[] rows = new float[width * table.count()];
        int begin = 0;
        for (int i = 0; i < drawn.length; i++) {
            if (columns.get(i) instanceof NumberColumn numbers) {
                numbers.encode((Numbers) table.columns().get(i), drawn[i], rows, width, begin);
            } else {
                CategoryColumn.encode((Categories) table.columns().get(i), rows, width, begin);
            }
            begin += new RowLayout(columns.get(i).spans()).size();
        }
        return new Encoded(encoding, rows);
    }

    private static void requireFits(TableEncoding encoding, double values) {
        CategoryColumn largest = encoding.categorical().stream()
                .max(Comparator.comparingInt(column -> column.categories().size()))
                .orElse(null);
        String most = largest == null
                ? ""
                : ", most of them for column " + largest.name() + " with its "
                        + largest.categories().size() + " categories";
        if (values > MOST_VALUES) {
            throw new IllegalArgumentException(String.format(
                    Locale.ROOT, "the encoded table has %.0f numbers, at most %d can be%s", values, MOST_VALUES, most));
        }
        Heap.require("the encoded table" + most, values * Float.BYTES);
    }

    /** The encoding of the first of some columns that has one; empty if none has. */
    public static Optional<TableEncoding> of(List<Column> columns) {
        return columns.stream()
                .flatMap(column -> column.encoding().stream())
                .findFirst()
                .map(TableEncoding::parse);
    }

    private static TableEncoding parse(String text) {
        List<TableColumn> columns = new ArrayList<>();
        CsvReader.builder()
                .allowExtraFields(true)
                .allowMissingFields(true)
                .ofCsvRecord(text)
                .forEach(each -> columns.add(TableColumn.parse(each.getFields())));
        return new TableEncoding(columns);
    }

    /** Returns the text that is kept with a run. */
    String text() {
        return text(columns.stream().map(TableColumn::cells).toList());
    }

    /** Returns the names of the table's columns. */
    public List<String> header() {
        return columns.stream().map(TableColumn::name).toList();
    }

    /** Returns the spans of a row. */
    public RowLayout layout() {
        return new RowLayout(
                columns.stream().flatMap(column -> column.spans().stream()).toList());
    }

    /** Returns the columns of categories. */
    List<CategoryColumn> categorical() {
        return columns.stream()
                .filter(CategoryColumn.class::isInstance)
                .map(CategoryColumn.class::cast)
                .toList();
    }

    /**
     * Decodes rows: the largest number of a one-hot span is its mode or category.
     *
     * @throws IllegalArgumentException if a number is not finite
     */
    TableData decode(float... rows) {
        for (float each : rows) {
            if (!Float.isFinite(each)) {
                throw new IllegalArgumentException("generated rows must be finite, but one has " + each);
            }
        }
        int width = layout().size();
        List<TableData.ColumnData> decoded = new ArrayList<>();
        int begin = 0;
        for (TableColumn column : columns) {
            decoded.add(column.decode(rows, width, begin));
            begin += new RowLayout(column.spans()).size();
        }
        return new TableData(decoded, rows.length / width);
    }

    /** Returns the text of a CSV file with the header and decoded rows. Throws as {@link #decode}. */
    public String csv(float... rows) {
        TableData table = decode(rows);
        List<List<String>> records = new ArrayList<>(List.of(header()));
        for (int row = 0; row < table.count(); row++) {
            List<String> cells = new ArrayList<>();
            for (int i = 0; i < columns.size(); i++) {
                cells.add(columns.get(i).text(table.columns().get(i), row));
            }
            records.add(cells);
        }
        return text(records);
    }

    private static String text(List<List<String>> records) {
        StringWriter text = new StringWriter();
        try (CsvWriter writer =
                CsvWriter.builder().lineDelimiter(LineDelimiter.LF).build(text)) {
            records.forEach(writer::writeRecord);
        } catch (IOException e) {
            throw new UncheckedIOException("a text cannot be written", e); // never: it is in memory
        }
        return text.toString();
    }

    /** Returns how it differs from an earlier one, in words; nothing if it does not. */
    List<String> differences(TableEncoding before) {
        if (!header().equals(before.header())) {
            return List.of("its header was " + before.header() + ", is " + header());
        }
        List<String> differences = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            String difference = columns.get(i).difference(before.columns.get(i));
            if (!difference.isEmpty()) {
                differences.add(difference);
            }
        }
        return differences;
    }

    /**
     * Returns a table with the categories of this encoding, such as held-out rows.
     *
     * @param name of the table, for messages
     * @throws IllegalArgumentException if it has another header, a category that is not known, or text in place of numbers
     */
    TableData known(String name, TableData table) {
        if (!table.header().equals(header())) {
            throw new IllegalArgumentException(name + ": must have the header " + header() + ", has " + table.header());
        }
        List<TableData.ColumnData> known = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            known.add(columns.get(i).known(name, table.columns().get(i)));
        }
        return new TableData(known, table.count());
    }
}
