package hocket.workbench.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertAll;

import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/**
 * Experiment files with mistakes, of {@code src/test/resources/hocket/wrong}: each gets a sentence at the right line. All
 * that is printed is left in {@code target/wrong-files.txt}, to be read by eye.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class WrongFilesTest {
    private static final String FOLDER = "/hocket/wrong/";

    @TempDir
    static Path here = Path.of("");

    /** A file, and what is expected of it. */
    private record Wrong(String file, int line, String sentence, String in) {
        Wrong(String file, int line, String sentence) {
            this(file, line, sentence, file);
        }

        static Wrong of(String row) {
            String[] columns = row.split("\t");
            return new Wrong(
                    columns[0], Integer.parseInt(columns[1]), columns[2], columns.length > 3 ? columns[3] : columns[0]);
        }
    }

    @BeforeAll
    static void copyFiles() {
        expected().forEach(each -> write(each.file(), bytes(each.file())));
    }

    private static byte[] bytes(String name) {
        try (InputStream in = WrongFilesTest.class.getResourceAsStream(FOLDER + name)) {
            assertThat(in).as(name).isNotNull();
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void write(String name, byte[] content) {
        try {
            Files.write(here.resolve(name), content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<Wrong> expected() {
        return new String(bytes("EXPECTED.tsv"), StandardCharsets.UTF_8)
                .lines()
                .filter(line -> !line.startsWith("#"))
                .map(Wrong::of)
                .toList();
    }

    @Test
    void eachIsRefusedAtItsLineWithAUsefulSentence() throws IOException {
        List<String> page = new ArrayList<>();
        List<Executable> checks = new ArrayList<>();
        for (Wrong each : expected()) {
            Ran ran = Ran.hocket(here, "plan", each.file());
            page.add(ran.err().strip().replace(here + "/", ""));
            checks.add(() -> assertRefused(ran, each));
        }
        Files.write(Path.of("target", "wrong-files.txt"), page);
        assertAll(checks);
    }

    private static void assertRefused(Ran ran, Wrong wrong) {
        String where = wrong.line() == 0 ? wrong.in() + ": " : wrong.in() + ":" + wrong.line() + ":";
        assertThat(ran.status()).as(wrong.file() + ": " + ran.err()).isEqualTo(2);
        assertThat(ran.errLines().get(0)).as(wrong.file()).startsWith("hocket: " + here.resolve(where));
        assertThat(ran.err()).as(wrong.file()).contains(wrong.sentence()).doesNotContain("\tat ", "Exception");
        assertThat(ran.out()).isEmpty();
    }

    @Test
    void tenThousandNestedBracketsAreRefused() {
        write("brackets.yaml", ("name: x\nplan: " + "[".repeat(10_000)).getBytes(StandardCharsets.UTF_8));
        assertRefused(
                Ran.hocket(here, "plan", "brackets.yaml"), new Wrong("brackets.yaml", 2, "nested deeper than 50"));
        String keys = "name: x\nplan: " + "{repeat: 2, of: ".repeat(10_000) + "d" + "}".repeat(10_000);
        write("keys.yaml", keys.getBytes(StandardCharsets.UTF_8));
        assertRefused(Ran.hocket(here, "plan", "keys.yaml"), new Wrong("keys.yaml", 2, "nested deeper than 50"));
    }

    @Test
    void aliasesThatGrowAreRefused() {
        StringBuilder bomb = new StringBuilder("name: x\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
        for (int i = 1; i < 10; i++) {
            String before = "*a" + (i - 1);
            bomb.append("a").append(i).append(": &a").append(i).append(" [");
            bomb.append(String.join(", ", List.of(before, before, before, before, before, before, before, before)));
            bomb.append("]\n");
        }
        write("bomb.yaml", bomb.toString().getBytes(StandardCharsets.UTF_8));
        Ran ran = Ran.hocket(here, "plan", "bomb.yaml");
        assertThat(ran.status()).isEqualTo(2);
        assertThat(ran.err()).contains("grow beyond 100000 parts").doesNotContain("\tat ");
    }

    @Test
    void aFileOfAHundredMegabytesIsRefusedUnread() throws IOException {
        try (RandomAccessFile file =
                new RandomAccessFile(here.resolve("large.yaml").toFile(), "rw")) {
            file.setLength(100_000_000);
        }
        assertRefused(
                Ran.hocket(here, "plan", "large.yaml"),
                new Wrong("large.yaml", 0, "has 100,000,000 bytes; an experiment file has at most 1,000,000"));
    }

    @Test
    void whatIsNoUtf8IsRefusedWhereItStands() {
        write("latin1.yaml", "name: x\nsummary: caf\u00e9\n".getBytes(StandardCharsets.ISO_8859_1));
        assertRefused(Ran.hocket(here, "plan", "latin1.yaml"), new Wrong("latin1.yaml", 2, "byte 0xe9 is not UTF-8"));
        write("utf16.yaml", "name: x\n".getBytes(StandardCharsets.UTF_16));
        assertRefused(Ran.hocket(here, "plan", "utf16.yaml"), new Wrong("utf16.yaml", 1, "is not UTF-8"));
    }

    @Test
    void aFileOfManyKeysIsRefusedAtOnce() {
        StringBuilder many = new StringBuilder("turns:\n");
        for (int i = 0; i < 60_000; i++) {
            many.append(" t").append(i).append(": x\n");
        }
        write("keys.yaml", many.toString().getBytes(StandardCharsets.UTF_8));
        Ran ran = Ran.hocket(here, "plan", "keys.yaml");
        assertThat(ran.status()).isEqualTo(2);
        assertThat(ran.errLines()).hasSize(51);
        assertThat(ran.err())
                .contains("turns/t0: must be keys and values with one of the keys program, follow, act", "more");
    }

    @Test
    void controlCharactersAreRefused() {
        write("bell.yaml", "name: a\u0007b\n".getBytes(StandardCharsets.UTF_8));
        Ran ran = Ran.hocket(here, "plan", "bell.yaml");
        assertThat(ran.status()).isEqualTo(2);
        assertThat(ran.err()).contains("control character").doesNotContain("\tat ");
    }

    @Test
    void allMistakesOfAFileAreNamedAtOnceInTheOrderOfLines() {
        String many = """
                name: mine
                network: {class: Dcgan, latnet: 8, width: wide}
                feeds:
                  digits: {class: Optdigits, batch: none}
                turns:
                  d: {program: discriminator, updates: {"discriminator/**": {adam: {rate: 2e-4, beta3: 0.5}}}}
                plan: {sequence: d}
                """;
        write("many.yaml", many.getBytes(StandardCharsets.UTF_8));
        List<String> lines = Ran.hocket(here, "plan", "many.yaml").errLines();
        String file = "hocket: " + here.resolve("many.yaml");
        assertThat(lines).hasSize(5);
        assertThat(lines.get(0)).startsWith(file + ":2:25: network: there is no key latnet; did you mean latent?");
        assertThat(lines.get(1)).startsWith(file + ":2:43: network/width: must be a whole number");
        assertThat(lines.get(2)).startsWith(file + ":4:37: feeds/digits/batch: must be a whole number");
        assertThat(lines.get(3)).contains(":6:").contains("beta3");
        assertThat(lines.get(4)).startsWith(file + ":7:18: plan/sequence: must be a list");
    }

    @Test
    void aWrongFileLeavesNothingBehind(@TempDir Path empty) throws IOException {
        Files.write(empty.resolve("wrong.yaml"), bytes("mistyped-key-of-a-class.yaml"));
        assertThat(Ran.hocket(empty, "run", "wrong.yaml").status()).isEqualTo(2);
        try (Stream<Path> left = Files.list(empty)) {
            assertThat(left).containsExactly(empty.resolve("wrong.yaml"));
        }
    }
}
