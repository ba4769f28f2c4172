package hocket.schedulers.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NpyTest {
    @TempDir
    Path folder;

    /** The array of that name that NumPy wrote. */
    private static Path numpys(String name) {
        return GoldenFormats.resource("npy/" + name + ".npy");
    }

    @Test
    void whatIsWrittenIsReadBack() throws IOException {
        float[] values = new float[40_000]; // more than a chunk
        for (int i = 0; i < values.length; i++) {
            values[i] = i / 7f - 1000;
        }
        values[5] = Float.NaN;
        values[6] = Float.NEGATIVE_INFINITY;
        Path file = folder.resolve("x.npy");
        for (Tensor array : List.of(
                Tensor.of(Shape.of(10, 4, 10, 100), values),
                Tensor.of(Shape.of(2), 0.1, Double.NaN),
                Tensor.of(Shape.scalar(), Long.MIN_VALUE))) {
            Npy.write(file, array);

            assertThat(Npy.open(file).tensor()).isEqualTo(array);
        }

        int count = Npy.write(file, 7, new int[] {4, 10, 100}, rows -> {
            rows.accept(Arrays.copyOf(values, 12_000));
            rows.accept(Arrays.copyOfRange(values, 12_000, 40_000));
        });

        assertThat(count).isEqualTo(10);
        assertThat(Npy.open(file).tensor()).isEqualTo(Tensor.of(Shape.of(10, 4, 10, 100), values));
    }

    @Test
    void theFileStartsWithAHeaderOfVersionOneFilledToSixtyFour() throws IOException {
        Path file = folder.resolve("x.npy");
        Npy.write(file, Tensor.of(Shape.of(2, 1), 1f, 2f));

        byte[] bytes = Files.readAllBytes(file);
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        int header = buffer.getShort(8);
        assertThat(Arrays.copyOf(bytes, 8)).containsExactly(0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0);
        assertThat((10 + header) % 64).isZero();
        assertThat(new String(bytes, 10, header, StandardCharsets.US_ASCII))
                .startsWith("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1), }  ")
                .endsWith(" \n");
        assertThat(buffer.getFloat(10 + header)).isEqualTo(1);
        assertThat(buffer.getFloat(14 + header)).isEqualTo(2);
        assertThat(bytes).hasSize(18 + header);
    }

    @Test
    void filesOfNumPyAreReadAndWrittenToTheByte() throws IOException {
        checkAgainstNumPy("float32-2x3", Tensor.of(Shape.of(2, 3), -1, -0.75f, -0.5f, -0.25f, 0, 0.25f));
        checkAgainstNumPy("float32-5", Tensor.of(Shape.of(5), 0f, 1f, 2f, 3f, 4f));
        checkAgainstNumPy("float32-scalar", Tensor.of(Shape.scalar(), 2.5f));
        checkAgainstNumPy("little-f8", counted(ElementType.FLOAT64));
        checkAgainstNumPy("little-i8", counted(ElementType.INT64));
    }

    private void checkAgainstNumPy(String name, Tensor array) throws IOException {
        Path ours = folder.resolve(name);

        Npy.write(ours, array);

        assertThat(Npy.open(numpys(name)).tensor()).as(name).isEqualTo(array);
        assertThat(ours).hasSameBinaryContentAs(numpys(name));
    }

    /** The array that most files hold: 0, 1, 2, … in 2 × 3 × 4. */
    private static Tensor counted(ElementType type) {
        double[] values = IntStream.range(0, 24).asDoubleStream().toArray();
        return switch (type) {
            case FLOAT64 -> Tensor.of(Shape.of(2, 3, 4), values);
            case FLOAT32 -> {
                float[] floats = new float[24];
                IntStream.range(0, 24).forEach(i -> floats[i] = i);
                yield Tensor.of(Shape.of(2, 3, 4), floats);
            }
            case INT64 -> Tensor.of(Shape.of(2, 3, 4), LongStream.range(0, 24).toArray());
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8"})
    void everyTypeAndOrderIsReadAsItsValues(String type) throws IOException {
        for (String order : List.of("little-", "big-fortran-")) {
            Tensor read = Npy.open(numpys(order + type)).tensor();
            Tensor wanted = type.equals("b1")
                    ? Tensor.of(
                            Shape.of(2, 3, 4),
                            LongStream.range(0, 24).map(i -> i % 2).toArray())
                    : counted(
                            type.equals("f8")
                                    ? ElementType.FLOAT64
                                    : type.startsWith("f") ? ElementType.FLOAT32 : ElementType.INT64);
            assertThat(read).as(order + type).isEqualTo(wanted);
        }
    }

    @Test
    void laterVersionsAreRead() throws IOException {
        for (String name : List.of("version-2", "version-3")) {
            assertThat(Npy.open(numpys(name)).tensor()).isEqualTo(counted(ElementType.INT64));
        }
    }

    @Test
    void anArrayOfNothingIsOpenedButNoTensor() throws IOException {
        Npy none = Npy.open(numpys("float32-0x3"));

        assertThat(none.shape()).containsExactly(0L, 3L);
        assertThat(none.dtype()).isEqualTo(Dtype.F32);
        assertThatThrownBy(none::tensor)
                .isInstanceOf(FormatException.class)
                .hasMessage(numpys("float32-0x3")
                        + ": F32[0, 3] cannot be a tensor: a shape's extents must be at least 1, got [0, 3]");
    }

    @Test
    void otherTypesAreRefusedByName() {
        Map.of("bad-complex", "<c8", "bad-text", "<U2", "bad-object", "|O").forEach((name, type) -> {
            Path file = numpys(name);
            assertThatThrownBy(() -> Npy.open(file))
                    .isInstanceOf(FormatException.class)
                    .hasMessage(file
                            + ": its header descr must be < (little-endian) or > (big-endian) and one of b1, i1, i2, "
                            + "i4, i8, u1, u2, u4, u8, f2, f4, f8, of one byte also |, was " + type);
        });
        Path record = numpys("bad-record");
        assertThatThrownBy(() -> Npy.open(record))
                .hasMessage(record + ": its header at character 10 must be a string in quotes, without \\, is "
                        + "\"[('a', '<f\"");
    }

    @Test
    void aFileInMemoryIsReadAsOneOnDisk() throws IOException {
        byte[] all = Files.readAllBytes(numpys("float32-0x3"));
        assertThat(Npy.of("upload", ByteBuffer.wrap(all)).shape()).containsExactly(0L, 3L);
        assertThatThrownBy(() -> Npy.of("upload", ByteBuffer.wrap(all, 0, 20)))
                .hasMessageStartingWith("upload: its header");
    }

    /** A file of version 1.0 with this text as its header, and so many bytes behind. */
    private static Npy of(String header, int bytes) throws IOException {
        ByteBuffer file = ByteBuffer.allocate(10 + header.length() + bytes).order(ByteOrder.LITTLE_ENDIAN);
        file.put(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0}).putShort((short) header.length());
        file.put(header.getBytes(StandardCharsets.ISO_8859_1)).rewind();
        return new Npy("it", Bytes.of(file));
    }

    @Test
    void headersThatPythonReadsAreRead() throws IOException {
        for (String header : List.of(
                "{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3), }   \n",
                "{\"shape\":(2,3,),'fortran_order' : False,\n'descr':'<i2'}",
                "  {  'descr'  :  '<i2'  ,  'fortran_order'  :  False  ,  'shape'  :  (  2  ,  3  )  }  ")) {
            assertThat(of(header, 12).shape()).containsExactly(2L, 3L);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '@',
            value = {
                "'descr': '<f4'                                          ; at character 0 must be {",
                "{'descr': '<f4'}                                        ; must have descr, fortran_order and shape",
                "{'descr': '<f4', 'shape': (1,), 'fortran_order': False  ; must be }, is its end",
                "{'descr': '<f4', 'shape': (1,), 'fortran_order': 0}     ; must be True or False",
                "{'descr': '<f4', 'shape': (1), 'fortran_order': False}  ; shape must be a tuple, (1) is a number",
                "{'descr': '<f4', 'shape': 1, 'fortran_order': False}    ; must be (",
                "{'descr': '<f4', 'shape': (1 2), 'fortran_order': False}; must be , or )",
                "{'descr': '<f4', 'shape': (-1,), 'fortran_order': False}; must be a whole number from 0 to 2^63 - 1",
                "{'descr': '<f4', 'shape': (01,), 'fortran_order': False}; must be a whole number from 0 to 2^63 - 1",
                "{'descr': '<f4', 'shape': (,), 'fortran_order': False}  ; must be a whole number from 0 to 2^63 - 1",
                "{'descr': '<f4', 'shape': (9223372036854775808,), 'fortran_order': False}; a whole number from 0 to 2^63 - 1",
                "{'descr': '<f4', 'shape': (4294967296, 4294967296), 'fortran_order': False}; more than 2^63 - 1 bytes",
                "{'descr': '<f4', 'shape': (2147483647,), 'fortran_order': False}; needs 8589934588 bytes, there are 4",
                "{'descr': '<f4', 'descr': '<f4', 'shape': (1,), 'fortran_order': False}; has descr twice",
                "{'descr': '<f4', 'shape': (1,), 'fortran_order': False, 'x': 1}; may have descr, fortran_order",
                "{'descr': '<f4', 'shape': (1,), 'fortran_order': False} x; must be its end",
                "{'descr': '\\x3cf4', 'shape': (1,), 'fortran_order': False}; a string in quotes, without",
                "{'descr': '|f4', 'shape': (1,), 'fortran_order': False}; descr must be <",
                "{'descr': '=f4', 'shape': (1,), 'fortran_order': False}; descr must be <",
                "{'descr': '<f4', 'shape': (2,), 'fortran_order': False}; needs 8 bytes, there are 4",
            })
    void headersThatAreNoSuchLiteralAreRefused(String header, String reason) {
        assertThatThrownBy(() -> of(header, 4))
                .isInstanceOf(FormatException.class)
                .hasMessageStartingWith("it: ")
                .hasMessageContaining(reason);
    }

    @Test
    void aFileCutAtAnyByteOrTooLongIsRefused() throws IOException {
        byte[] whole = Files.readAllBytes(numpys("float32-2x3"));
        for (int length = 0; length <= whole.length + 4; length++) {
            Path cut = Files.write(folder.resolve("cut.npy"), Arrays.copyOf(whole, length));
            if (length != whole.length) {
                assertThatThrownBy(() -> Npy.open(cut))
                        .isInstanceOf(FormatException.class)
                        .hasMessageStartingWith(cut + ": ");
            }
        }
    }

    @Test
    void rowsThatAreCutOrCannotBeMadeLeaveNoFile() {
        Path file = folder.resolve("x.npy");
        UncheckedIOException source = new UncheckedIOException("rows.csv cannot be read", new IOException("gone"));

        assertThatThrownBy(() -> Npy.write(file, 2, new int[] {2, 2}, rows -> rows.accept(new float[7])))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("7 values are not a whole number of rows of shape [2, 2]");
        assertThatThrownBy(() -> Npy.write(file, 2, new int[] {2, 2}, rows -> {
                    throw source;
                }))
                .isSameAs(source);
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void filesThatAreNotThereOrCannotBeWrittenAreNamed() {
        Path file = folder.resolve("none/x.npy");

        assertThatThrownBy(() -> Npy.open(file)).hasMessage(file + ": there is no such file");
        assertThatThrownBy(() -> Npy.write(file, Tensor.of(Shape.scalar(), 1f)))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageStartingWith("cannot write the array " + file);
    }

    /** For {@code src/test/python/npy_both.py}, {@code -Dhocket.npy=DIR}: writes arrays there, alone and in an archive. */
    @Test
    @EnabledIfSystemProperty(named = "hocket.npy", matches = ".+")
    void writesForNumPy() throws IOException {
        Path both = Files.createDirectories(Path.of(System.getProperty("hocket.npy")));
        SortedMap<String, Tensor> arrays = new TreeMap<>(Map.of(
                "floats",
                Tensor.of(
                        Shape.of(2, 3),
                        1f,
                        -0f,
                        Float.MIN_VALUE,
                        Float.POSITIVE_INFINITY,
                        Float.NEGATIVE_INFINITY,
                        Float.MAX_VALUE),
                "doubles",
                Tensor.of(Shape.of(2, 1, 1), 0.1, Double.MIN_VALUE),
                "longs",
                Tensor.of(Shape.of(2), Long.MIN_VALUE, Long.MAX_VALUE),
                "scalar ü",
                Tensor.of(Shape.scalar(), 2.5)));
        Npz.write(both.resolve("all.npz"), arrays);
        arrays.forEach((name, array) -> Npy.write(both.resolve(name + ".npy"), array));
    }
}
