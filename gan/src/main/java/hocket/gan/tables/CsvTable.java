package hocket.gan.tables;

import hocket.gan.data.DataException;
import hocket.schedulers.Source;
import hocket.schedulers.checkpoint.DiskFailureText;
import hocket.schedulers.feeds.DataFingerprint;
import hocket.schedulers.settings.Setting;
import hocket.schedulers.settings.SourceDefinition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A source of the rows of a CSV file in UTF-8 whose first line is the header, with the columns of {@link ConditionalRows}. A column whose cells
 * are mostly numbers is continuous, another is categorical. Missing is a cell that
 * is empty, or {@code NA}, {@code n/a}, {@code NaN}, {@code none}, {@code null} or the like, as pandas reads it.
 *
 * @param path of the file
 * @param categorical columns whose numbers are categories
 * @param missing how rows with missing values are handled
 * @param modes the most modes of a continuous column
 */
public record CsvTable(
        @Setting(help = "a CSV file in UTF-8 whose first line is the header")
        Path path,

        @Setting(usually = "[]", help = "columns whose numbers are categories: [year]")
        List<String> categorical,

        @Setting(usually = "refuse", help = "rows with missing values: refuse names the first, skip counts them")
        Missing missing,

        @Setting(usually = "10", least = 1, most = 100, help = "most modes of a column of numbers")
        int modes)
        implements SourceDefinition, CsvTableCopies {
    /** The handling of rows with missing values. */
    public enum Missing {
        REFUSE,
        SKIP
    }

    /** @throws IllegalArgumentException if a setting is out of its range */
    public CsvTable {
        CsvTableCopies.check(modes);
        categorical = List.copyOf(categorical);
    }

    /** @throws DataException if the file cannot be read as a table, naming line and column */
    @Override
    public Source open(String name, int batch, boolean shuffled) {
        byte[] content;
        try {
            content = Files.readAllBytes(path);
        } catch (IOException e) {
            throw new DataException(path, "cannot be read: " + DiskFailureText.of(e), e);
        }
        TableFile file = new TableFile(path.toString(), content, missing);
        TableData table = file.data(categorical);
        return source(
                name, batch, table, modes, file.skipped(), Optional.empty(), () -> List.of(DataFingerprint.of(path)));
    }

    /**
     * A source of a table.
     *
     * @param skipped the number of rows that are left out, as values are missing
     */
    static Source source(
            String name,
            int batch,
            TableData table,
            int modes,
            int skipped,
            Optional<String> attribution,
            Supplier<List<DataFingerprint>> origins) {
        TableEncoding.Encoded encoded = TableEncoding.encode(table, modes);
        List<String> notes = new ArrayList<>();
        notes.add(table.count() + " rows of " + table.header().size() + " columns, "
                + encoded.encoding().categorical().size() + " of categories"
                + (skipped > 0 ? "; " + skipped + " rows with missing values are skipped" : ""));
        for (CategoryColumn column : encoded.encoding().categorical()) {
            if (2 * column.categories().size() > table.count()) {
                notes.add("column " + column.name() + " has "
                        + column.categories().size()
                        + " categories; without repeated values nothing can be learnt from it");
            }
        }
        return new ConditionalRows(name, table, encoded, batch, notes, attribution, origins);
    }
}
