package hocket.gan.tables;

import hocket.schedulers.Source;
import hocket.schedulers.feeds.DataFingerprint;
import hocket.schedulers.settings.Setting;
import hocket.schedulers.settings.SourceDefinition;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;

/**
 * A source of the penguins that come with Hocket, as a {@link CsvTable}: species, island, four numbers, sex and year of 333 penguins of the
 * Palmer Archipelago. The 11 of 344 with missing values are skipped. The data are of A. M. Horst, A. P. Hill and K. B. Gorman (2020), CC0; see
 * {@code NOTICE-penguins.txt} in the same folder.
 *
 * @param part of the penguins, in the order of the file
 */
public record Penguins(
        @Setting(usually = "all", help = "all, train (five of six) or test (every sixth)")
        Part part) implements SourceDefinition {
    /** A part of the penguins. */
    public enum Part {
        ALL,
        TRAIN,
        TEST
    }

    private static final String FILE = "penguins.csv";
    private static final int MODES = 10;
    private static final String ATTRIBUTION =
            "palmerpenguins: Palmer Archipelago (Antarctica) penguin data (A. M. Horst, A. P. Hill and K. B. Gorman, 2020,"
                    + " doi:10.5281/zenodo.3960218), CC0 1.0";

    @Override
    public Source open(String name, int batch, boolean shuffled) {
        TableFile file = new TableFile(FILE, bytes(), CsvTable.Missing.SKIP);
        TableData all = file.data(List.of("year"));
        TableData some = part == Part.ALL ? all : all.everySixth(part == Part.TEST);
        return CsvTable.source(
                name,
                batch,
                some,
                MODES,
                file.skipped(),
                Optional.of(ATTRIBUTION),
                () -> List.of(DataFingerprint.of(FILE, bytes())));
    }

    private static byte[] bytes() {
        try (InputStream in = Penguins.class.getResourceAsStream(FILE)) {
            if (in == null) {
                throw new IllegalStateException("the jar that holds " + Penguins.class.getName() + " lacks " + FILE);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + FILE + " from the jar", e);
        }
    }
}
