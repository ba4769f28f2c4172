package hocket.gan.tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.gan.data.DataException;
import hocket.gan.scores.HeldOutScores;
import hocket.gan.tables.CsvTable.Missing;
import hocket.gan.tables.TableData.Categories;
import hocket.gan.tables.TableData.Numbers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CsvTableTest {
    private static final String FEW = "size,colour\n1.5,red\n2.25,blue\n3,red\n4,red\n";

    @TempDir
    private Path folder;

    private ConditionalRows open(String content, Missing missing, String... categorical) throws IOException {
        Path file = Files.writeString(folder.resolve("few.csv"), content);
        return (ConditionalRows) new CsvTable(file, List.of(categorical), missing, 10).open("rows", 2, true);
    }

    private void refused(String content, String message) {
        assertThatThrownBy(() -> open(content, Missing.REFUSE))
                .isInstanceOf(DataException.class)
                .hasMessage(folder.resolve("few.csv") + ": " + message);
    }

    @Test
    void numbersAreContinuousAndTextIsCategorical() throws IOException {
        TableData table = open(FEW, Missing.REFUSE).table();
        Numbers size = (Numbers) table.columns().get(0);
        assertThat(size.values()).containsExactly(1.5, 2.25, 3, 4);
        assertThat(size.decimals()).isEqualTo(2);
        Categories colour = (Categories) table.columns().get(1);
        assertThat(colour.categories()).containsExactly("blue", "red");
        assertThat(colour.values()).containsExactly(1, 0, 1, 1);
    }

    @Test
    void aColumnOfNumbersCanBeNamedCategorical() throws IOException {
        TableData table = open("a,b\n1,x\n2,x\n1,x\n", Missing.REFUSE, "a").table();
        assertThat(((Categories) table.columns().get(0)).categories()).containsExactly("1", "2");
        assertThatThrownBy(() -> open(FEW, Missing.REFUSE, "color"))
                .hasMessageContaining("categorical: ")
                .hasMessageContaining("has no column color")
                .hasMessageContaining("colour");
    }

    @Test
    void quotesCommasLineBreaksAndAByteOrderMarkAreRead() throws IOException {
        ConditionalRows rows = open("\uFEFFa,\"b, c\"\r\n1,\"x \"\"y\"\"\nz\"\r\n2,ü\r\n", Missing.REFUSE);
        assertThat(rows.table().header()).containsExactly("a", "b, c");
        TableEncoding.Encoded encoded = TableEncoding.encode(rows.table(), 10);
        assertThat(encoded.encoding().csv(encoded.rows())).isEqualTo("a,\"b, c\"\n1,\"x \"\"y\"\"\nz\"\n2,ü\n");
        assertThat(TableEncoding.of(rows.columns())).contains(rows.encoding());
    }

    @Test
    void missingValuesAreRefusedByLineAndColumnOrCounted() throws IOException {
        String gaps = "size,colour\n1.5,red\n,blue\n3,NA\n4,red\n5,blue\n6,red\n";
        refused(gaps, "line 3, column size: the value is missing, was \"\"; missing: skip leaves such rows out");
        ConditionalRows rows = open(gaps, Missing.SKIP);
        assertThat(rows.table().count()).isEqualTo(4);
        assertThat(rows.notes())
                .containsExactly("4 rows of 2 columns, 1 of categories; 2 rows with missing values are skipped");
        assertThat(open("size,colour\n1,None\n2,N/A\n3,red\n4,NULL\n5,none\n", Missing.SKIP)
                        .table()
                        .count())
                .isEqualTo(2); // pandas reads "none" as a value
        assertThatThrownBy(() -> open("a\nNA\n", Missing.SKIP))
                .hasMessageEndingWith("has no rows without missing values: all 1 are skipped");
    }

    @Test
    void filesThatAreNoTablesAreRefused() throws IOException {
        refused("", "is empty; expected a header and rows");
        refused("size,colour\n", "has no rows");
        refused(
                "a,b\n1,x\n2,x\n1e39,x\n",
                "line 4, column a: must be a number as in most rows, was \"1e39\"; a column of categories is named"
                        + " under categorical");
        refused("a;b\n1;2\n", "line 1: cells must be separated by commas, and this header has semicolons");
        refused("a\tb\n1\t2\n", "line 1: cells must be separated by commas, and this header has tabs");
        refused("a,b,a\n1,2,3\n", "line 1: two columns are called \"a\"");
        refused("a,b\n1,2\n\n3,4,5\n", "line 4: has 3 cells, and the header has 2");
        refused("a,b\n1,2\n3\n", "line 3: has 1 cells, and the header has 2");
        refused(
                "a,b\n1,x\n2,x\nthree,x\n",
                "line 4, column a: must be a number as in most rows, was \"three\"; a column of categories is named"
                        + " under categorical");
        Path latin = Files.write(folder.resolve("latin.csv"), "a\nü\n".getBytes(StandardCharsets.ISO_8859_1));
        assertThatThrownBy(() -> new CsvTable(latin, List.of(), Missing.REFUSE, 10).open("rows", 1, true))
                .hasMessage(latin + ": is not UTF-8: convert it, such as by iconv -f latin1 -t utf8");
        Path none = folder.resolve("none.csv");
        assertThatThrownBy(() -> new CsvTable(none, List.of(), Missing.REFUSE, 10).open("rows", 1, true))
                .hasMessageStartingWith(none + ": cannot be read: ");
    }

    @Test
    void aChangedTableSaysWhatHasChanged() throws IOException {
        ConditionalRows before = open(FEW, Missing.REFUSE);
        assertThat(before.differences(before.columns())).isEmpty();
        assertThat(open("size,color\n1.5,red\n2,blue\n", Missing.REFUSE).differences(before.columns()))
                .containsExactly("its header was [size, colour], is [size, color]");
        assertThat(open(FEW + "5,green\n", Missing.REFUSE).differences(before.columns()))
                .containsExactly(
                        "the numbers of column size are others",
                        "column colour has the unknown category green; known are blue, red");
        assertThat(open("size,colour\n1.5,red\n2.25,red\n", Missing.REFUSE).differences(before.columns()))
                .contains("column colour has no category blue any more");
        assertThat(open("size,colour\nx,red\ny,blue\n", Missing.REFUSE).differences(before.columns()))
                .contains("column size had numbers, has categories");
    }

    @Test
    void heldOutRowsHaveTheSameHeaderAndKnownCategories() throws IOException {
        TableEncoding encoding = open(FEW, Missing.REFUSE).encoding();
        TableData few = open("size,colour\n1,red\n2,red\n", Missing.REFUSE).table();
        Categories colours =
                (Categories) encoding.known("held_out", few).columns().get(1);
        assertThat(colours.categories()).containsExactly("blue", "red");
        assertThat(colours.values()).containsExactly(1, 1);
        TableData green = open("size,colour\n1,green\n", Missing.REFUSE).table();
        assertThatThrownBy(() -> encoding.known("held_out", green))
                .hasMessage("held_out: column colour has the unknown category green; known are blue, red");
        TableData other = open("size,kind\n1,red\n", Missing.REFUSE).table();
        assertThatThrownBy(() -> encoding.known("held_out", other))
                .hasMessage("held_out: must have the header [size, colour], has [size, kind]");
    }

    @Test
    void aColumnOfOneValueAndATableOfNumbersAreEncoded() throws IOException {
        ConditionalRows rows = open("a,b\n3,1e-5\n3,2.5e7\n3,4\n", Missing.REFUSE);
        TableEncoding.Encoded encoded = TableEncoding.encode(rows.table(), 10);
        assertThat(rows.columns()).hasSize(1);
        assertThat(((Numbers) encoded.encoding()
                                .decode(encoded.rows())
                                .columns()
                                .get(0))
                        .values())
                .containsExactly(3, 3, 3);
        assertThat(((Numbers) rows.table().columns().get(1)).decimals()).isNegative();
    }

    @Test
    void aGeneratedRowHasTheOneValueOfAColumn() throws IOException {
        TableEncoding encoding = open("a,b\n5,1\n5,2\n5,3\n", Missing.REFUSE).encoding();
        float[] row = new float[encoding.layout().size()];
        row[0] = 1; // as far from the mean as a generator can be
        row[1] = 1;
        assertThat(((Numbers) encoding.decode(row).columns().get(0)).values()).containsExactly(5);
    }

    @Test
    void aColumnWithACategoryForEachRowThatWouldNotFitIntoMemoryIsRefused() {
        String[] names = IntStream.range(0, 60_000).mapToObj(Integer::toString).toArray(String[]::new);
        Categories ids = new Categories(
                "id", List.of(names), IntStream.range(0, names.length).toArray());
        assertThatThrownBy(() -> TableEncoding.encode(new TableData(List.of(ids), names.length), 10))
                .hasMessage("the encoded table has 3600000000 numbers, at most 2147483639 can be, most of them for"
                        + " column id with its 60000 categories");
    }

    @Test
    void trainingRowsInAnyOrderAreNoHeldOutRows() throws IOException {
        TableData few = open(FEW, Missing.REFUSE).table();
        assertThatThrownBy(() -> HeldOutScores.requireOthers(
                        "rows", few.rowHashes(), few.at(3, 1, 0, 2).rowHashes()))
                .hasMessage("held-out rows must not be real ones that the generator is trained on, but 4 of 4 are");
        TableData others = open(FEW.replace("2.25", "2.5").replace("3,red", "3,blue"), Missing.REFUSE)
                .table();
        HeldOutScores.requireOthers("rows", few.rowHashes(), others.rowHashes());
    }

    @Test
    void rowsOfFewCategoriesMayBeInBothTables() throws IOException {
        String colours = "colour,shape\nred,round\nblue,round\nred,round\nblue,round\nred,flat\n";
        TableData few = open(colours, Missing.REFUSE).table();
        HeldOutScores.requireOthers(
                "rows", few.at(0, 1, 2, 3).rowHashes(), few.at(1, 0).rowHashes());
    }

    @Test
    void largeNumbersOfASmallRangeKeepTheirDigits() throws IOException {
        StringBuilder text = new StringBuilder("time\n");
        for (int i = 0; i <= 20; i++) {
            text.append(1_700_000_040L + i).append('\n');
        }
        TableData times = open(text.toString(), Missing.REFUSE).table();
        TableEncoding.Encoded encoded = TableEncoding.encode(times, 1);
        assertThat(encoded.encoding().decode(encoded.rows()).columns().get(0))
                .isInstanceOfSatisfying(
                        Numbers.class,
                        numbers -> assertThat(numbers.values())
                                .containsExactly(((Numbers) times.columns().get(0)).values()));
    }
}
