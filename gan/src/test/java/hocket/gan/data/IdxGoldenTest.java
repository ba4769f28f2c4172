package hocket.gan.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("golden")
class IdxGoldenTest {
    /** Words that the refusal of a file must hold, so that it is refused for its own reason. */
    private static final Map<String, List<String>> REASONS = Map.ofEntries(
            Map.entry("short-header", List.of("header is cut", "3 dimensions take 12 bytes, there are 5")),
            Map.entry("empty", List.of("header is cut", "there are 0")),
            Map.entry("bad-magic-first-bytes", List.of("first two bytes", "must be 0x00 0x00, are 0x01 0x00")),
            Map.entry("bad-type", List.of("third byte", "0x07")),
            Map.entry("zero-dimensions", List.of("number of dimensions", "must be in 1..8, is 0")),
            Map.entry("truncated-data", List.of("need 6400 bytes", "the file has 6383")),
            Map.entry("trailing-data", List.of("need 6400 bytes", "the file has 6403")),
            Map.entry("negative-dimension", List.of("dimension 0", "is -1 (0xffffffff)")),
            Map.entry("overflow", List.of("65536 x 65536 x 65536", "need 281474976710656 bytes", "has 6400")),
            Map.entry("huge-dimension", List.of("2147483647 x 8 x 8", "need 137438953408 bytes", "has 6400")),
            Map.entry("little-endian-dims", List.of("first two bytes", "little-endian")),
            Map.entry("labels-count-mismatch", List.of("holds 99 labels", "100 images")),
            Map.entry("corrupt.gz", List.of("gzip stream is cut")),
            Map.entry("255-dimensions", List.of("must be in 1..8, is 255")));

    private static JsonNode contents() {
        return GoldenFiles.json(GoldenFiles.formats().resolve("contents.json"));
    }

    static Stream<JsonNode> badFiles() {
        return StreamSupport.stream(contents().get("idx_bad").spliterator(), false);
    }

    private static Path good(String name) {
        JsonNode entry = contents().get("idx").get(name);
        return GoldenFiles.formats()
                .resolve(entry.isTextual() ? entry.asText() : entry.get("file").asText());
    }

    /** The largest pixel value of the golden images. */
    private static double largest() {
        double largest = 0;
        for (float value :
                GoldenFiles.floats(contents().get("idx").get("images").get("values"))) {
            largest = Math.max(largest, value);
        }
        return largest;
    }

    @Test
    void theDigitsOfPlainAndGzipFilesAreTheirGoldenValues() {
        JsonNode golden = contents().get("idx").get("images");
        float[] wanted = GoldenFiles.floats(golden.get("values"));
        double largest = largest();
        for (int i = 0; i < wanted.length; i++) {
            wanted[i] = (float) (wanted[i] / (largest / 2) - 1);
        }
        for (String name : List.of("images", "images_gz")) {
            Images images = Idx.images(good(name), good("labels"), largest);

            assertThat(List.of(images.count(), images.height(), images.width()))
                    .as(name)
                    .isEqualTo(List.of(
                            golden.get("shape").get(0).asInt(),
                            golden.get("shape").get(1).asInt(),
                            golden.get("shape").get(2).asInt()));
            assertThat(images.pixels()).as(name).isEqualTo(wanted);
            JsonNode labels = contents().get("idx").get("labels").get("values");
            for (int i = 0; i < labels.size(); i++) {
                assertThat(images.labels()[i]).isEqualTo(labels.get(i).asInt());
            }
        }
    }

    @Test
    void theFloatsOfAFileAreTheirGoldenValues() {
        JsonNode golden = contents().get("idx").get("float");
        try (IdxStream in = IdxStream.open(good("float"))) {
            float[] values = new float[in.elements];
            in.decode((index, value) -> values[index] = (float) value);

            assertThat(in.dimensions())
                    .isEqualTo(golden.get("shape").get(0).asInt() + " x "
                            + golden.get("shape").get(1).asInt());
            assertThat(values).isEqualTo(GoldenFiles.floats(golden.get("values")));
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("badFiles")
    void everyMalformedFileIsRefusedForItsReasonWithLittleMemory(JsonNode bad) {
        Path file = GoldenFiles.formats().resolve(bad.get("file").asText());
        String name = String.valueOf(file.getFileName());
        boolean soundAlone = name.equals("labels-count-mismatch");
        Path images = soundAlone ? good("images") : file;
        Path labels = soundAlone ? file : good("labels");

        double largest = largest();
        long bytes = Allocation.of(() -> assertThatThrownBy(() -> Idx.images(images, labels, largest))
                .as("%s: %s", name, bad.get("reason").asText())
                .isInstanceOf(DataException.class)
                .hasMessageStartingWith(file + ": ")
                .message()
                .contains(System.getProperty("hocket.golden", "").isEmpty() ? REASONS.get(name) : List.of("")));

        assertThat(bytes).isLessThan(8 << 20);
    }

    @Test
    void everyMalformedFileHasAReasonHere() {
        if (System.getProperty("hocket.golden", "").isEmpty()) {
            assertThat(badFiles().map(bad -> bad.get("file").asText().replace("idx-bad/", "")))
                    .containsExactlyInAnyOrderElementsOf(REASONS.keySet());
        }
    }
}
