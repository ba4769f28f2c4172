package hocket.workbench.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A table is learnt, drawn, scored and resumed; a table that has changed is refused by what has changed. */
@Tag("engine")
class TableCommandsTest {
    private static final String FILE = """
            name: shirts
            network:
              class: Gan
              latent: 4
              generator: {tabular: {width: 8, layers: 1}}
              discriminator: {mlp: {width: 8, layers: 1, dropout: 0.5}}
              loss: wasserstein
              terms: [{wgan_gp: {weight: 10}}, category]
              condition: categories
              pack: 2
            feeds:
              shirts: {class: CsvTable, path: shirts.csv, missing: skip, batch: 8, pack: 2, resample: each-turn}
            turns:
              d: {program: discriminator, updates: {"discriminator/**": {adam: {rate: 2e-4}}}}
              g: {program: generator, updates: {"generator/**": {adam: {rate: 2e-4}}}}
            plan: {sequence: [d, g]}
            budget: {rounds: 4}
            samples: draw
            evaluation: {class: TableScores, feed: shirts, samples: 50}
            """;

    @TempDir
    Path here;

    @BeforeEach
    void train() throws IOException {
        Files.writeString(here.resolve("shirts.yaml"), FILE);
        write("size,\"colour, or none\"", "");
        Ran ran = Ran.hocket(here, "run", "shirts.yaml", "--out", "run");
        assertThat(ran.status()).as(ran.err()).isZero();
        assertThat(ran.err()).contains("16 rows of 2 columns, 1 of categories; 1 rows with missing values are skipped");
    }

    /** Writes a table of 16 rows and one with a missing value. */
    private void write(String header, String more) throws IOException {
        StringBuilder rows = new StringBuilder(header).append("\n,red\n");
        for (int i = 0; i < 16; i++) {
            rows.append(1.5 * i).append(i % 4 == 0 ? ",red\n" : ",blue\n");
        }
        Files.writeString(here.resolve("shirts.csv"), rows + more);
    }

    private void refused(String message, String... arguments) {
        Ran ran = Ran.hocket(here, arguments);
        assertThat(ran.status()).as(ran.err()).isEqualTo(2);
        assertThat(ran.err()).contains(message);
    }

    @Test
    void samplesHaveTheHeaderTheCategoriesAndTheDecimalsOfTheDataWhichMayBeGone() throws IOException {
        Files.delete(here.resolve("shirts.csv"));
        Ran ran = Ran.hocket(here, "sample", "run", "--count", "700", "--out", "drawn.csv");
        assertThat(ran.status()).as(ran.err()).isZero();
        List<String> lines = Files.readAllLines(here.resolve("drawn.csv"));
        assertThat(lines).hasSize(701);
        assertThat(lines.get(0)).isEqualTo("size,\"colour, or none\"");
        assertThat(lines.subList(1, 701)).allMatch(line -> line.matches("-?\\d+\\.\\d,(red|blue)"));
        Ran.hocket(here, "sample", "run", "--count", "700", "--out", "again.csv");
        assertThat(here.resolve("again.csv")).hasSameTextualContentAs(here.resolve("drawn.csv"));
    }

    @Test
    void scoresStandBesideTheirFloorsAndARunResumes() {
        Ran ran = Ran.hocket(here, "eval", "run");
        assertThat(ran.status()).as(ran.err()).isZero();
        assertThat(ran.out())
                .contains("samples  bootstrap  halves     independent", "column_distance", "correlation_difference");
        Ran resumed = Ran.hocket(here, "run", "--resume", "run", "--set", "rounds=6");
        assertThat(resumed.status()).as(resumed.err()).isZero();
    }

    @Test
    void aChangedHeaderIsRefusedWithBothHeaders() throws IOException {
        write("size,colour", "");
        String message = "data of shirts has changed: its header was [size, colour, or none], is [size, colour]";
        refused(message, "eval", "run");
        refused(message, "run", "--resume", "run", "--set", "rounds=6");
    }

    @Test
    void anUnknownCategoryIsRefusedByColumnAndCategory() throws IOException {
        write("size,\"colour, or none\"", "7.5,green\n");
        String message = "column colour, or none has the unknown category green; known are blue, red";
        refused(message, "eval", "run");
        refused(message, "run", "--resume", "run", "--set", "rounds=6");
    }

    @Test
    void aFileThatIsNoTableAnyMoreIsRefusedByLineAndColumn() throws IOException {
        write("size,\"colour, or none\"", "large,blue\n");
        String message = "line 19, column size: must be a number as in most rows, was \"large\"";
        refused(message, "eval", "run");
        refused(message, "run", "--resume", "run", "--set", "rounds=6");
        refused("line 2, column size: the value is missing", "plan", "shirts.yaml", "--set", "missing=refuse");
    }

    @Test
    void samplesOfOtherGeneratorsAreNoTable() {
        Ran ran = Ran.hocket(
                here, "run", "gaussian-ring", "--set", "rounds=2", "--set", "evaluation.samples=100", "--out", "ring");
        assertThat(ran.status()).as(ran.err()).isZero();
        refused("samples (2) are not rows of a table", "sample", "ring", "--out", "ring.csv");
    }
}
