package hocket.schedulers.text;

import static hocket.schedulers.text.Text.Part.ALL;
import static hocket.schedulers.text.Text.Part.HELD_OUT;
import static hocket.schedulers.text.Text.Part.TRAIN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.schedulers.Source;
import hocket.schedulers.checkpoint.Checksums;
import hocket.schedulers.state.State;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TextTest {
    private static final String ALPHABET = "abcdefghijklmnopqrst";
    private static final Streams SEED = Streams.seed(7);

    private final Text text = Text.of(ALPHABET);

    @TempDir
    Path here;

    /** The windows of the next draw, as text. */
    private static List<String> drawn(Source source, Streams streams, Text of) {
        Tensor windows = Objects.requireNonNull(
                source.draw(column -> true, streams).tensors().get("text"));
        int width = windows.shape().get(1);
        long[] numbers = windows.longs();
        List<String> rows = new ArrayList<>();
        for (int row = 0; row < windows.shape().get(0); row++) {
            StringBuilder one = new StringBuilder();
            for (int i = 0; i < width; i++) {
                one.append(of.vocabulary().decode((int) numbers[row * width + i]));
            }
            rows.add(one.toString());
        }
        return rows;
    }

    private List<String> drawn(Source source) {
        return drawn(source, SEED, text);
    }

    private static String read(Text text) {
        return text.vocabulary()
                .decode(IntStream.range(0, text.length()).map(text::number).toArray());
    }

    @Test
    void theHeldOutPartIsTheLastTenth() {
        assertThat(read(text.part(TRAIN))).isEqualTo("abcdefghijklmnopqr");
        assertThat(read(text.part(HELD_OUT))).isEqualTo("st");
        assertThat(read(text.part(ALL))).isEqualTo(ALPHABET);
        assertThat(text.part(HELD_OUT).vocabulary()).isEqualTo(text.vocabulary());
        assertThat(text).hasToString("20 characters, 20 different ones");
    }

    @Test
    void windowsInOrderPredictEachCharacterOnce() {
        assertThat(drawn(text.windows(6).batchesInOrder("text", 3))).containsExactly("abcdefg", "ghijklm", "mnopqrs");
        assertThat(drawn(text.windows(19).batchesInOrder("text", 1))).containsExactly(ALPHABET);
    }

    @Test
    void windowsAtRandomPlacesAreConsecutiveCharactersFromEachPlace() {
        List<String> windows = drawn(text.batches("text", 6, 1000));
        assertThat(windows).allSatisfy(window -> assertThat(ALPHABET).contains(window));
        assertThat(windows.stream().distinct()).hasSize(14); // the first and the last too
    }

    @Test
    void seedNameAndNumberOfTheDrawDetermineTheWindows() {
        Source source = text.batches("text", 6, 8);
        List<String> first = drawn(source);
        List<String> second = drawn(source);
        assertThat(second).isNotEqualTo(first);
        Source again = source.fresh().orElseThrow();
        again.next(SEED, (column, rows) -> null); // a draw that nobody reads
        assertThat(drawn(again)).isEqualTo(second);
        assertThat(drawn(text.batches("other", 6, 8))).isNotEqualTo(first);
        assertThat(drawn(text.batches("text", 6, 8), Streams.seed(8), text)).isNotEqualTo(first);
    }

    @Test
    void aRestoredSourceContinuesWithTheSameWindows() {
        Source source = text.batches("text", 6, 8);
        drawn(source);
        State saved = source.save();
        List<String> second = drawn(source);
        Source restored = text.batches("text", 6, 8);
        restored.restore(saved);
        assertThat(drawn(restored)).isEqualTo(second);
        assertThat(restored.save()).isEqualTo(source.save());
        assertThatThrownBy(() -> text.batches("text", 5, 8).restore(saved))
                .hasMessage("source text was saved with batches of 8 windows of 6 steps from 20 characters, here it has"
                        + " batches of 8 windows of 5 steps from 20");
        assertThatThrownBy(() -> restored.restore(saved.without("draws").with("draws", -1L)))
                .hasMessage("source text: the saved number of draws is -1");
    }

    @Test
    void anEpochIsAsManyDrawsAsPredictTheText() {
        Source source = text.batches("text", 5, 2);
        assertThat(source.drawsAnEpoch()).hasValue(2);
        drawn(source);
        assertThat(source.epoch()).isEqualTo(0.5);
        assertThat(text.batches("text", 5, 64).drawsAnEpoch()).hasValue(1);
    }

    @Test
    void windowsThatDoNotFitAreRefused() {
        assertThatThrownBy(() -> text.batches("text", 20, 8))
                .hasMessage("source text: steps must be 1 to 19 in a text of 20 characters, was 20");
        assertThatThrownBy(() -> text.batches("text", 0, 8)).hasMessageContaining("was 0");
        assertThatThrownBy(() -> text.windows(0))
                .hasMessageContaining("steps must be 1 to 19")
                .hasMessageContaining("was 0");
        assertThatThrownBy(() -> text.batches("text", 6, 0))
                .hasMessage("source text: a batch must be at least 1, was 0");
        assertThatThrownBy(() -> Text.of("a").windows(1))
                .hasMessage("windows of a text: a text of 1 characters has no window of 2");
    }

    @Test
    void aFileIsReadInItsOwnVocabularyAndNamedIfItCannotBe() throws IOException {
        Path file = Files.writeString(here.resolve("a.txt"), "äöü".repeat(10));
        Source source = new TextFile(file, 2, ALL, false).open("letters", 4, false);
        assertThat(source.name()).isEqualTo("letters");
        assertThat(source.columns())
                .isEqualTo(new TextFile(file, 2, ALL, false).declaredColumns().orElseThrow());
        assertThat(source.notes()).containsExactly("30 characters, 3 different ones");
        assertThat(drawn(source, SEED, Text.of("äöü"))).containsExactly("äöü", "üäö", "öüä", "äöü");
        assertThat(source.origins().get(0).name()).isEqualTo("a.txt");
        assertThat(source.fresh().orElseThrow().origins()).isEqualTo(source.origins());
        assertThat(new TextFile(file, 2, ALL, false).open("letters", 4, true).drawsAnEpoch())
                .hasValue(3);

        Files.write(file, new byte[] {'a', (byte) 0xE4});
        assertThatThrownBy(() -> new TextFile(file, 2, ALL, false).open("letters", 4, true))
                .hasMessage(file + " is no text in UTF-8");
        Files.writeString(file, "");
        assertThatThrownBy(() -> new TextFile(file, 2, ALL, false).open("letters", 4, true))
                .hasMessage(file + " is empty");
        Path gone = here.resolve("gone.txt");
        assertThatThrownBy(() -> new TextFile(gone, 2, ALL, false).open("letters", 4, true))
                .hasMessageStartingWith(gone + " cannot be read: ");
    }

    @Test
    void theTextThatShipsIsTheOneOfItsDescription() throws IOException {
        Text pages = HocketPages.load();
        MessageDigest digest = Checksums.digest();
        digest.update(read(pages).getBytes(StandardCharsets.US_ASCII));
        try (InputStream in = Objects.requireNonNull(HocketPages.class.getResourceAsStream("hocket-pages.md"))) {
            assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
                    .contains(Checksums.hex(digest), "202,568 characters, 96 different ones");
        }
        assertThat(pages).hasToString("202568 characters, 96 different ones");
        Source source = new HocketPages(64, HELD_OUT, false).open("text", 316, false);
        assertThat(source.drawsAnEpoch()).hasValue(1);
        assertThat(source.origins().get(0).name()).isEqualTo("hocket-pages.txt.gz");
    }

    @Test
    void rowsOfLanesContinueThoseOfTheDrawBefore() {
        String letters = "abcdefghijklmnopqrstu"; // two lanes of five windows of two steps
        Text text = Text.of(letters);
        Source source = text.lanes("letters", 2, 2);
        assertThat(source.rowsContinue()).isTrue();
        assertThat(text.batches("letters", 2, 2).rowsContinue()).isFalse();
        StringBuilder first = new StringBuilder();
        StringBuilder second = new StringBuilder();
        for (int draw = 0; draw < 6; draw++) {
            long[] numbers = Objects.requireNonNull(source.draw(column -> true, Streams.seed(1))
                            .tensors()
                            .get("text"))
                    .longs();
            for (int i = 0; i < 2; i++) {
                first.append(text.vocabulary().decode((int) numbers[i]));
                second.append(text.vocabulary().decode((int) numbers[3 + i]));
            }
        }
        assertThat(first.toString()).isEqualTo("abcdefghijab");
        assertThat(second.toString()).isEqualTo("klmnopqrstkl");
        assertThatThrownBy(() -> text.lanes("letters", 2, 11))
                .hasMessageContaining("no 11 lanes of windows of 2 steps");
        assertThatThrownBy(() -> text.lanes("letters", 2, 0)).hasMessageContaining("no 0 lanes of windows of 2 steps");
    }
}
