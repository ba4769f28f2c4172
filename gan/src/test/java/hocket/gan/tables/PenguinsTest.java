package hocket.gan.tables;

import static org.assertj.core.api.Assertions.assertThat;

import hocket.gan.tables.TableData.Categories;
import hocket.gan.tables.TableData.Numbers;
import hocket.schedulers.Source;
import hocket.schedulers.settings.SourceDefinition;
import hocket.scopes.Streams;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class PenguinsTest {
    private static final List<String> HEADER = List.of(
            "species", "island", "bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g", "sex", "year");

    private static ConditionalRows open(Penguins.Part part, int batch) {
        return (ConditionalRows) new Penguins(part).open("penguins", batch, true);
    }

    @Test
    void elevenOf344PenguinsAreSkippedAndCounted() {
        ConditionalRows all = open(Penguins.Part.ALL, 50);
        assertThat(all.table().count()).isEqualTo(333);
        assertThat(all.table().header()).isEqualTo(HEADER);
        assertThat(all.notes())
                .containsExactly("333 rows of 8 columns, 4 of categories; 11 rows with missing values are skipped");
        assertThat(open(Penguins.Part.TRAIN, 1).table().count()).isEqualTo(278);
        assertThat(open(Penguins.Part.TEST, 1).table().count()).isEqualTo(55);
    }

    @Test
    void encodedRowsAreDecodedToTheFilesRows() {
        ConditionalRows all = open(Penguins.Part.ALL, 50);
        TableEncoding.Encoded encoded = TableEncoding.encode(all.table(), 10);
        TableData decoded = encoded.encoding().decode(encoded.rows());
        for (int i = 0; i < HEADER.size(); i++) {
            if (all.table().columns().get(i) instanceof Numbers numbers) {
                assertThat(((Numbers) decoded.columns().get(i)).values()).isEqualTo(numbers.values());
            } else {
                Categories categories = (Categories) all.table().columns().get(i);
                assertThat(((Categories) decoded.columns().get(i)).values()).isEqualTo(categories.values());
            }
        }
        assertThat(encoded.encoding()
                        .csv(Arrays.copyOf(
                                encoded.rows(), encoded.encoding().layout().size())))
                .isEqualTo(String.join(",", HEADER) + "\nAdelie,Torgersen,39.1,18.7,181,3750,male,2007\n");
    }

    @Test
    void theColumnOfRowsKeepsTheEncoding() {
        ConditionalRows all = open(Penguins.Part.ALL, 50);
        TableEncoding read = TableEncoding.of(all.columns()).orElseThrow();
        assertThat(read).isEqualTo(all.encoding());
        assertThat(all.columns().get(0).shape().size()).isEqualTo(read.layout().size());
        assertThat(read.layout().choices()).isEqualTo(3 + 3 + 2 + 3);
        assertThat(read.differences(all.encoding())).isEmpty();
    }

    @Test
    void aDrawnRowHasTheCategoryOfItsConditionAndRareOnesAreDrawnMoreOftenThanTheyOccur() {
        ConditionalRows all = open(Penguins.Part.ALL, 3000);
        int width = all.encoding().layout().size();
        var drawn = all.draw(column -> true, Streams.seed(3)).tensors();
        float[] rows = Objects.requireNonNull(drawn.get("row")).floats();
        long[] conditions = Objects.requireNonNull(drawn.get("condition")).longs();
        int chinstraps = 0;
        int species = 0;
        for (int i = 0; i < conditions.length; i++) {
            TableData row = all.encoding().decode(Arrays.copyOfRange(rows, i * width, (i + 1) * width));
            int c = (int) conditions[i];
            String column = c < 3 ? "species" : c < 6 ? "island" : c < 8 ? "sex" : "year";
            Categories values = (Categories) row.columns().get(HEADER.indexOf(column));
            assertThat(values.values()[0]).isEqualTo(c - (c < 3 ? 0 : c < 6 ? 3 : c < 8 ? 6 : 8));
            species += c < 3 ? 1 : 0;
            chinstraps += c == 1 ? 1 : 0;
        }
        assertThat(species).isBetween(650, 850);
        assertThat((double) chinstraps / species).isBetween(0.25, 0.35); // 68 of 333 are 0.20
    }

    @Test
    void drawsAreRepeatedFromTheirStateAndAFreshSource() {
        SourceDefinition penguins = new Penguins(Penguins.Part.ALL);
        Source one = penguins.open("penguins", 20, true);
        one.draw(column -> true, Streams.seed(3));
        Source other = one.fresh().orElseThrow();
        other.restore(one.save());
        assertThat(other.draw(column -> true, Streams.seed(3)).tensors())
                .isEqualTo(one.draw(column -> true, Streams.seed(3)).tensors());
        assertThat(one.epoch()).isEqualTo(2.0 / (333 / 20));
    }
}
