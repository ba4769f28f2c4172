package hocket.schedulers.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import hocket.scopes.ElementType;
import hocket.scopes.Tensor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("golden")
class SafetensorsGoldenTest {
    /** Sound by the format, though it stands among the bad ones: its elements are not aligned. */
    private static final String MISALIGNED = "misaligned-f64";

    /** What the refusal of a file must say, so that it is refused for its own reason. */
    private static final Map<String, String> REASONS = Map.ofEntries(
            Map.entry("header-longer-than-file", "the header should have 10000 bytes, but only 64 follow the first 8"),
            Map.entry("header-size-2-40", "the header may have at most 100000000 bytes, the file says 1099511627776"),
            Map.entry(
                    "header-size-2-63",
                    "the header may have at most 100000000 bytes, the file says 9223372036854775816"),
            Map.entry("file-shorter-than-8", "must begin with 8 bytes that say how long the header is, the file has 3"),
            Map.entry("empty-file", "must begin with 8 bytes that say how long the header is, the file has 0"),
            Map.entry("overlapping-offsets", "b: must begin at byte 8, where a ends, begins at 4"),
            Map.entry("same-offsets-twice", "b: must begin at byte 8, where a ends, begins at 0"),
            Map.entry("hole-between-tensors", "b: must begin at byte 8, where a ends, begins at 16"),
            Map.entry("hole-at-start", "a: must begin at byte 0, where the header ends, begins at 8"),
            Map.entry("negative-shape", "a: shape must be a list of whole numbers from 0 to 2^63 - 1, there is -2"),
            Map.entry("overflow-shape", "a: F32[4294967296, 4294967296] would have more than 2^63 - 1 bytes"),
            Map.entry(
                    "overflow-shape-wraps-to-8-bytes",
                    "a: F32[4611686018427387906, 1] would have more than 2^63 - 1 bytes"),
            Map.entry("shape-does-not-match-offsets", "a: F32[3] needs 12 bytes, data_offsets give it bytes 0 to 8"),
            Map.entry(
                    "bad-dtype",
                    "a: dtype must be one of [BOOL, U8, I8, I16, U16, F16, BF16, I32, U32, F32, F64, I64, U64], was F33"),
            Map.entry("duplicate-keys", "the header: must name everything once, names a twice"),
            Map.entry("non-utf8-header", "the header must be UTF-8, byte 2 of it is not"),
            Map.entry("trailing-bytes", "after a the file must end, 4 bytes follow"),
            Map.entry("truncated-data", "a: must end by byte 5, where the file ends, ends at 8"),
            Map.entry(
                    "reversed-offsets", "a: data_offsets must be a begin and an end that is not before it, was [8, 0]"),
            Map.entry(
                    "negative-offset",
                    "a: data_offsets must be a list of whole numbers from 0 to 2^63 - 1, there is -8"),
            Map.entry("offset-beyond-file", "a: must end by byte 8, where the file ends, ends at 1099511627784"),
            Map.entry("not-json", "the header must begin with '{', begins with 0x74"),
            Map.entry("json-array", "the header must begin with '{', begins with 0x5b"),
            Map.entry("header-not-starting-with-brace", "the header must begin with '{', begins with 0x20"),
            Map.entry("deeply-nested-json", "a must be an object of dtype, shape and data_offsets, there is a list"),
            Map.entry("missing-dtype", "a: dtype is missing"),
            Map.entry("metadata-not-strings", "__metadata__/epoch must be a string, there is 3"),
            Map.entry("fractional-shape", "a: shape must be a list of whole numbers from 0, there is 1.5"));

    @TempDir
    Path folder;

    static Stream<JsonNode> badFiles() {
        return StreamSupport.stream(
                        GoldenFormats.contents().get("safetensors_bad").spliterator(), false)
                .filter(bad -> !name(bad).equals(MISALIGNED));
    }

    private static String name(JsonNode bad) {
        return bad.get("file").asText().replaceAll(".*/|\\.safetensors", "");
    }

    static Stream<Map.Entry<String, JsonNode>> goodFiles() {
        return GoldenFormats.contents().get("safetensors_good").properties().stream();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("badFiles")
    void everyMalformedFileIsRefusedForItsReason(JsonNode bad) {
        Path file = GoldenFormats.folder().resolve(bad.get("file").asText());

        var refused = assertThatThrownBy(() -> Safetensors.open(file))
                .as("%s: %s", name(bad), bad.get("reason").asText())
                .isInstanceOf(FormatException.class);

        if (GoldenFormats.isOurCopy()) {
            refused.hasMessage(file + ": " + REASONS.get(name(bad)));
        } else {
            refused.hasMessageStartingWith(file + ": ");
        }
    }

    @Test
    void everyMalformedFileHasAReasonHere() {
        if (GoldenFormats.isOurCopy()) {
            assertThat(badFiles().map(SafetensorsGoldenTest::name))
                    .containsExactlyInAnyOrderElementsOf(REASONS.keySet());
        }
    }

    @Test
    void elementsThatAreNotAlignedAreRead() throws IOException {
        Path file = GoldenFormats.folder().resolve("safetensors-bad/" + MISALIGNED + ".safetensors");
        Safetensors opened = Safetensors.open(file);

        for (Map.Entry<String, Safetensors.Entry> entry : opened.entries().entrySet()) {
            Safetensors.Entry at = entry.getValue();
            ByteBuffer all = ByteBuffer.wrap(Files.readAllBytes(file));
            long start = all.capacity()
                    - opened.entries().values().stream()
                            .mapToLong(Safetensors.Entry::end)
                            .max()
                            .orElseThrow();
            assertThat(opened.bytes(entry.getKey()))
                    .isEqualTo(all.slice((int) (start + at.begin()), (int) (at.end() - at.begin())));
        }
        assertThat(opened.tensor("b").type()).isEqualTo(ElementType.FLOAT64);
        assertThat(ByteBuffer.allocate(8).putDouble(opened.tensor("b").get(0)).flip())
                .isEqualTo(reversed(opened.bytes("b")));
    }

    private static ByteBuffer reversed(ByteBuffer bytes) {
        ByteBuffer reversed = ByteBuffer.allocate(bytes.remaining());
        for (int i = bytes.remaining(); i-- > 0; ) {
            reversed.put(bytes.get(i));
        }
        return reversed.flip();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("goodFiles")
    void whatAGoodFileHoldsIsReadToTheBit(Map.Entry<String, JsonNode> golden) throws IOException {
        Safetensors file = Safetensors.open(GoldenFormats.folder().resolve(golden.getKey()));
        JsonNode tensors = golden.getValue().get("tensors");

        Map<String, String> metadata = new TreeMap<>();
        golden.getValue()
                .path("metadata")
                .properties()
                .forEach(note -> metadata.put(note.getKey(), note.getValue().asText()));
        assertThat(file.metadata()).isEqualTo(metadata);
        assertThat(file.entries().keySet())
                .containsExactlyInAnyOrderElementsOf(
                        tensors.properties().stream().map(Map.Entry::getKey).toList());
        for (Map.Entry<String, JsonNode> tensor : tensors.properties()) {
            JsonNode wanted = tensor.getValue();
            List<Long> shape = longs(wanted.get("shape"));
            List<Long> offsets = longs(wanted.get("data_offsets"));
            assertThat(file.entries().get(tensor.getKey()))
                    .isEqualTo(new Safetensors.Entry(
                            Dtype.valueOf(wanted.get("dtype").asText()), shape, offsets.get(0), offsets.get(1)));
            if (shape.contains(0L)) {
                assertThat(file.bytes(tensor.getKey()).remaining()).isZero();
                assertThatThrownBy(() -> file.tensor(tensor.getKey()))
                        .isInstanceOf(FormatException.class)
                        .hasMessageContaining(tensor.getKey() + ": F32" + shape + " cannot be a tensor: ");
            } else {
                checkValues(tensor.getKey(), file.tensor(tensor.getKey()), shape, wanted.get("values"));
            }
        }
    }

    private static List<Long> longs(JsonNode numbers) {
        return StreamSupport.stream(numbers.spliterator(), false)
                .map(JsonNode::asLong)
                .toList();
    }

    private static void checkValues(String name, Tensor tensor, List<Long> shape, JsonNode values) {
        assertThat(tensor.shape().extents())
                .as(name)
                .containsExactly(shape.stream().mapToInt(Math::toIntExact).toArray());
        assertThat(tensor.shape().size()).as(name).isEqualTo(values.size());
        for (int i = 0; i < values.size(); i++) {
            String wanted = values.get(i).asText();
            switch (tensor.type()) {
                case INT64 ->
                    assertThat(tensor.buffer().asLongBuffer().get(i)).as(name).isEqualTo(Long.parseLong(wanted));
                case FLOAT32 ->
                    assertThat(Float.floatToIntBits(
                                    tensor.buffer().asFloatBuffer().get(i)))
                            .as(name)
                            .isEqualTo(Float.floatToIntBits((float) Double.parseDouble(wanted)));
                case FLOAT64 ->
                    assertThat(Double.doubleToLongBits(tensor.get(i)))
                            .as(name)
                            .isEqualTo(Double.doubleToLongBits(Double.parseDouble(wanted)));
            }
        }
    }

    @Test
    void theSameTensorsGiveTheSameFileAsThePackage() throws IOException {
        Path golden = GoldenFormats.folder().resolve("good-no-metadata.safetensors");
        Safetensors file = Safetensors.open(golden);
        TreeMap<String, Tensor> tensors = new TreeMap<>();
        for (String name : file.entries().keySet()) {
            tensors.put(name, file.tensor(name));
        }
        Path ours = folder.resolve("ours.safetensors");

        Safetensors.write(ours, tensors, Map.of());

        assertThat(ours).hasSameBinaryContentAs(golden);
    }
}
