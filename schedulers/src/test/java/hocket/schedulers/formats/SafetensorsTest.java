package hocket.schedulers.formats;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

class SafetensorsTest {
    @TempDir
    Path folder;

    private static SortedMap<String, Tensor> tensors() {
        return new TreeMap<>(Map.of(
                "a", Tensor.of(Shape.of(3), 1f, -0f, Float.MIN_VALUE),
                "b/ünïcode \"quoted\"", Tensor.of(Shape.of(2, 1), 0.1, Double.NEGATIVE_INFINITY),
                "c", Tensor.of(Shape.scalar(), Long.MIN_VALUE),
                "d", Tensor.of(Shape.of(1, 1, 2), Float.NaN, 2f),
                "e 𝄞", Tensor.of(Shape.of(2), 1L << 53 | 1, -1L)));
    }

    private static SortedMap<String, Tensor> read(Safetensors file) throws IOException {
        SortedMap<String, Tensor> read = new TreeMap<>();
        for (String name : file.entries().keySet()) {
            read.put(name, file.tensor(name));
        }
        return read;
    }

    private Safetensors write(SortedMap<String, Tensor> tensors, Map<String, String> metadata) throws IOException {
        Path file = folder.resolve("x.safetensors");
        Safetensors.write(file, tensors, metadata);
        return Safetensors.open(file);
    }

    @Test
    void whatIsWrittenIsReadToTheBit() throws IOException {
        Map<String, String> metadata = Map.of("format", "pt", "note", "line\n\"two\" é");

        Safetensors file = write(tensors(), metadata);

        assertThat(read(file)).isEqualTo(tensors());
        assertThat(file.metadata()).isEqualTo(metadata);
        assertThat(folder).isDirectoryContaining("glob:**x.safetensors").isDirectoryNotContaining("glob:**unfinished");
    }

    @Test
    void nothingIsAFileToo() throws IOException {
        assertThat(write(new TreeMap<>(), Map.of()).entries()).isEmpty();
        assertThat(Files.readAllBytes(folder.resolve("x.safetensors")))
                .containsExactly(8, 0, 0, 0, 0, 0, 0, 0, '{', '}', ' ', ' ', ' ', ' ', ' ', ' ');
    }

    @Test
    void everyTensorLiesAligned() throws IOException {
        for (Safetensors.Entry entry : write(tensors(), Map.of()).entries().values()) {
            assertThat(entry.begin() % entry.dtype().bytes()).isZero();
        }
        ByteBuffer start = ByteBuffer.wrap(Files.readAllBytes(folder.resolve("x.safetensors")));
        assertThat(start.order(ByteOrder.LITTLE_ENDIAN).getLong() % 8).isZero();
    }

    @Test
    void namesThatCannotBeWrittenAreRefusedAndTheFileStays() throws IOException {
        write(tensors(), Map.of());
        Tensor one = Tensor.of(Shape.scalar(), 1f);
        for (SortedMap<String, Tensor> wrong :
                List.of(new TreeMap<>(Map.of("__metadata__", one)), new TreeMap<>(Map.of("half \ud834", one)))) {
            assertThatThrownBy(() -> write(wrong, Map.of())).isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> write(tensors(), Map.of("half", "\udd1e")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must be Unicode");
        assertThat(read(Safetensors.open(folder.resolve("x.safetensors")))).isEqualTo(tensors());
    }

    /** A file of this header, padded to a multiple of 8, and so many bytes 1, 2, 3 behind. */
    private static Safetensors of(String header, int bytes) throws IOException {
        byte[] json = header.getBytes(UTF_8);
        ByteBuffer file = ByteBuffer.allocate(8 + json.length + bytes).order(ByteOrder.LITTLE_ENDIAN);
        file.putLong(json.length).put(json);
        for (int i = 1; file.hasRemaining(); i++) {
            file.put((byte) i);
        }
        return Safetensors.of("it", file.flip());
    }

    private static void assertRefused(String header, int bytes, String reason) {
        assertThatThrownBy(() -> of(header, bytes))
                .isInstanceOf(FormatException.class)
                .hasMessage("it: " + reason);
    }

    private static String tensor(String name, String dtype, String shape, String offsets) {
        return "\"" + name + "\":{\"dtype\":" + dtype + ",\"shape\":" + shape + ",\"data_offsets\":" + offsets + "}";
    }

    @Test
    void whatTheFormatDoesNotHaveIsRefusedByName() {
        String a = tensor("a", "\"U8\"", "[1]", "[0,1]");
        assertRefused(
                "{" + a + "} x",
                1,
                "the header must be JSON: Unrecognized token 'x': was expecting (JSON String, "
                        + "Number, Array, Object or token 'null', 'true' or 'false'), at character "
                        + (a.length() + 3));
        assertRefused("{" + a + "}{}", 1, "after the header only blanks may stand, there is an object");
        assertRefused(
                "{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1],\"more\":1}}",
                1,
                "a: may have dtype, shape and data_offsets only, has more");
        assertRefused(
                "{\"a\":{\"dtype\":\"U8\",\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}",
                1,
                "a: must name everything once, names dtype twice");
        assertRefused(
                "{\"__metadata__\":{},\"__metadata__\":{}}",
                0,
                "the header: must name everything once, names __metadata__ twice");
        assertRefused(
                "{\"__metadata__\":{\"n\":\"1\",\"n\":\"1\"}}",
                0,
                "__metadata__: must name everything once, names n twice");
        assertRefused("{\"__metadata__\":[]}", 0, "__metadata__ must be an object of strings, there is a list");
        assertRefused("{" + tensor("a", "1", "[1]", "[0,1]") + "}", 1, "a: dtype must be a string, there is 1");
        assertRefused(
                "{" + tensor("a", "\"U8\"", "1", "[0,1]") + "}",
                1,
                "a: shape must be a list of whole numbers from 0, there is 1");
        assertRefused(
                "{" + tensor("a", "\"U8\"", "[99999999999999999999]", "[0,1]") + "}",
                1,
                "a: shape must be a list of whole numbers from 0 to 2^63 - 1, there is 99999999999999999999");
        assertRefused(
                "{" + tensor("a", "\"U8\"", "[1]", "[0,1,2]") + "}",
                1,
                "a: data_offsets must be a begin and an end that is not before it, was [0, 1, 2]");
        assertRefused(
                "{" + tensor("\\ud834", "\"U8\"", "[1]", "[0,1]") + "}",
                1,
                "the header must be JSON: Broken surrogate pair in field name: expected '\\' to start low surrogate, got "
                        + "0x22, at character 8");
        assertRefused(
                "{\"__metadata__\":{\"n\":\"\\udd1e\"}}",
                0,
                "__metadata__/n: must be Unicode, half a surrogate pair is not: \udd1e");
        assertRefused("{}", 1, "after the header the file must end, 1 bytes follow");
    }

    @Test
    void whatIsLongIsNotQuotedWhole() throws IOException {
        String megabyte = "x".repeat(1 << 20);
        String ones = "1,".repeat(100_000) + "1";
        SortedMap<String, Tensor> many = new TreeMap<>();
        for (int i = 0; i < 1000; i++) {
            many.put("t" + i, Tensor.of(Shape.scalar(), 1f));
        }
        Safetensors file = write(many, Map.of());
        List<ThrowingCallable> refused = List.of(
                () -> of("{\"a\":\"" + megabyte + "\"}", 0),
                () -> of("{" + tensor("a", "\"" + megabyte + "\"", "[1]", "[0,1]") + "}", 1),
                () -> of("{" + tensor("a", "\"U8\"", "[" + ones + ",2]", "[0,1]") + "}", 1),
                () -> of("{" + tensor("a", "\"U8\"", "[1]", "[" + ones + "]") + "}", 1),
                () -> of("{" + tensor(megabyte.substring(0, 40_000), "\"U8\"", "[1]", "[1,2]") + "}", 2),
                () -> of("{\"__metadata__\":{\"n\":\"" + megabyte + "\\udd1e\"}}", 0),
                () -> file.tensor("x"));
        for (ThrowingCallable each : refused) {
            assertThat(catchThrowable(each).getMessage())
                    .hasSizeLessThan(400)
                    .containsAnyOf("…", ", and 9", ", and 100");
        }
    }

    @Test
    void everyTypeBecomesTheTensorOfItsValues() throws IOException {
        Safetensors file = of(
                "{" + tensor("bool", "\"BOOL\"", "[1]", "[0,1]") + "," + tensor("u8", "\"U8\"", "[2]", "[1,3]") + ","
                        + tensor("u16", "\"U16\"", "[1]", "[3,5]") + "," + tensor("u32", "\"U32\"", "[1]", "[5,9]")
                        + "," + tensor("u64", "\"U64\"", "[1]", "[9,17]") + "}",
                17);

        assertThat(file.tensor("bool")).isEqualTo(Tensor.of(Shape.of(1), 1L));
        assertThat(file.tensor("u8")).isEqualTo(Tensor.of(Shape.of(2), 2L, 3L));
        assertThat(file.tensor("u16")).isEqualTo(Tensor.of(Shape.of(1), 0x0504L));
        assertThat(file.tensor("u32")).isEqualTo(Tensor.of(Shape.of(1), 0x09080706L));
        assertThat(file.tensor("u64")).isEqualTo(Tensor.of(Shape.of(1), 0x11100f0e0d0c0b0aL));
    }

    @Test
    void valuesThatATensorCannotHoldAreRefusedAndTheirBytesAreThere() throws IOException {
        Safetensors file = of("{" + tensor("bool", "\"BOOL\"", "[3]", "[0,3]") + "}", 3);
        assertThatThrownBy(() -> file.tensor("bool"))
                .isInstanceOf(FormatException.class)
                .hasMessage("it: bool: BOOL[3] cannot be a tensor: element 1 must be in 0..1, was 2");
        assertThat(file.bytes("bool")).isEqualTo(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        assertThatThrownBy(() -> file.tensor("x"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("it holds no tensor x; it holds [bool]");

        ByteBuffer beyond = ByteBuffer.allocate(8).putLong(-1).flip();
        assertThatThrownBy(() -> Dtype.U64.tensor(Shape.of(1), beyond))
                .hasMessage("element 0 must be in 0..9223372036854775807, was 18446744073709551615");
    }

    /** By arithmetic: sign × (1 + fraction / 1024) × 2^(exponent - 15), and fraction × 2^-24 below the least exponent. */
    @Test
    void everyHalfBecomesTheFloatOfItsValue() {
        for (int bits = 0; bits < 1 << 16; bits++) {
            ByteBuffer half = ByteBuffer.allocate(2).putShort((short) bits).flip();
            float read = Dtype.F16.tensor(Shape.scalar(), half).floats()[0];

            int exponent = bits >> 10 & 0x1f;
            int fraction = bits & 0x3ff;
            double magnitude = exponent == 0
                    ? fraction * 0x1p-24
                    : exponent == 31
                            ? fraction == 0 ? Double.POSITIVE_INFINITY : Double.NaN
                            : (1 + fraction / 1024.0) * Math.pow(2, exponent - 15);
            assertThat(Float.floatToIntBits(read)).as("half 0x%04x", bits).isEqualTo(Float.floatToIntBits((float)
                    (bits < 1 << 15 ? magnitude : -magnitude)));
        }
    }

    @Test
    void aFileCutAtAnyByteIsRefused() throws IOException {
        write(tensors(), Map.of());
        byte[] whole = Files.readAllBytes(folder.resolve("x.safetensors"));
        for (int length = 0; length < whole.length; length++) {
            ByteBuffer cut = ByteBuffer.wrap(Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> Safetensors.of("it", cut)).isInstanceOf(FormatException.class);
        }
    }

    @Test
    void aFileThatWasCutSinceItWasOpenedIsRefused() throws IOException {
        Safetensors file = write(tensors(), Map.of());
        Path path = folder.resolve("x.safetensors");
        Files.write(path, Arrays.copyOf(Files.readAllBytes(path), 100));

        assertThatThrownBy(() -> file.tensor("d"))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("the file has but 100 since it was opened");
    }

    @Test
    void whatIsNoFileIsNamed() {
        assertThatThrownBy(() -> Safetensors.open(folder)).hasMessage(folder + ": is not a file");
        Path none = folder.resolve("none");
        assertThatThrownBy(() -> Safetensors.open(none)).hasMessage(none + ": there is no such file");
        assertThatThrownBy(() -> Safetensors.write(none.resolve("x"), tensors(), Map.of()))
                .isInstanceOf(IOException.class);
    }

    /** The file is sparse: it takes no room. */
    @Test
    void tensorsBeyondTwoGigabytesAreReadOneAtATime() throws IOException {
        long large = 3L << 30;
        Path path = folder.resolve("large.safetensors");
        byte[] header = ("{" + tensor("a", "\"F32\"", "[" + large / 4 + "]", "[0," + large + "]") + ","
                        + tensor("b", "\"F64\"", "[2]", "[" + large + "," + (large + 16) + "]") + "}")
                .getBytes(UTF_8);
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            file.writeLong(Long.reverseBytes(header.length));
            file.write(header);
            file.seek(8 + header.length + large);
            file.writeLong(Long.reverseBytes(Double.doubleToLongBits(0.1)));
            file.writeLong(Long.reverseBytes(Double.doubleToLongBits(-2)));
        }

        Safetensors opened = Safetensors.open(path);

        assertThat(opened.tensor("b")).isEqualTo(Tensor.of(Shape.of(2), 0.1, -2));
        assertThatThrownBy(() -> opened.tensor("a"))
                .isInstanceOf(FormatException.class)
                .hasMessage(path + ": a: F32[805306368] has 3221225472 bytes; one array can have at most 2147483647");
    }

    @Test
    @Tag("slow")
    void moreThanTwoGigabytesAreWritten() throws IOException {
        assumeTrue(Files.getFileStore(folder).getUsableSpace() > 4L << 30, "no room for 2.1 GB in " + folder);
        float[] values = new float[25_000_000];
        values[values.length - 1] = 7;
        Tensor tensor = Tensor.of(Shape.of(values.length), values);
        SortedMap<String, Tensor> tensors = new TreeMap<>();
        for (int i = 10; i < 32; i++) {
            tensors.put("t" + i, tensor);
        }

        Safetensors file = write(tensors, Map.of());

        assertThat(Files.size(folder.resolve("x.safetensors"))).isGreaterThan(1L << 31);
        assertThat(file.tensor("t31").buffer().getFloat(4 * (values.length - 1)))
                .isEqualTo(7);
    }

    /**
     * For {@code src/test/python/safetensors_both.py}, {@code -Dhocket.safetensors=DIR}: writes {@code of-hocket.safetensors}
     * there, and each tensor of {@code of-python.safetensors} as it is read into {@code python-read-by-hocket.safetensors}.
     */
    @Test
    @EnabledIfSystemProperty(named = "hocket.safetensors", matches = ".+")
    void writesAndReadsForAnotherImplementation() throws IOException {
        Path both = Path.of(System.getProperty("hocket.safetensors"));
        Safetensors.write(both.resolve("of-hocket.safetensors"), tensors(), Map.of("format", "np"));
        Safetensors python = Safetensors.open(both.resolve("of-python.safetensors"));
        Safetensors.write(both.resolve("python-read-by-hocket.safetensors"), read(python), python.metadata());
    }
}
