package hocket.gan.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NpyTest {
    @TempDir
    Path folder;

    @Test
    void whatIsWrittenIsReadBack() {
        float[] values = new float[40_000]; // more than a chunk
        for (int i = 0; i < values.length; i++) {
            values[i] = i / 7f - 1000;
        }
        values[5] = Float.NaN;
        values[6] = Float.NEGATIVE_INFINITY;
        Path file = folder.resolve("x.npy");

        Npy.write(file, values, 10, 4, 10, 100);

        assertThat(Npy.read(file).shape()).containsExactly(10, 4, 10, 100);
        assertThat(Npy.read(file).data()).isEqualTo(values);
    }

    @Test
    void theFileStartsWithAHeaderOfVersionOneFilledToSixtyFour() throws IOException {
        Path file = folder.resolve("x.npy");
        Npy.write(file, new float[] {1, 2}, 2, 1);

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
        checkAgainstNumPy("float32-2x3.npy", new float[] {-1, -0.75f, -0.5f, -0.25f, 0, 0.25f}, 2, 3);
        checkAgainstNumPy("float32-5.npy", new float[] {0, 1, 2, 3, 4}, 5);
        checkAgainstNumPy("float32-scalar.npy", new float[] {2.5f});
        checkAgainstNumPy("float32-0x3.npy", new float[0], 0, 3);
    }

    private void checkAgainstNumPy(String name, float[] data, int... shape) throws IOException {
        Path numpys = GoldenFiles.resource("npy/" + name);
        Path ours = folder.resolve(name);

        Npy.write(ours, data, shape);

        assertThat(Npy.read(numpys).shape()).as(name).isEqualTo(shape);
        assertThat(Npy.read(numpys).data()).as(name).isEqualTo(data);
        assertThat(Files.readAllBytes(ours)).as(name).isEqualTo(Files.readAllBytes(numpys));
    }

    @ParameterizedTest
    @ValueSource(strings = {"bad-float64.npy", "bad-big-endian.npy", "bad-fortran.npy"})
    void filesOfOtherTypesAndOrdersAreRefused(String name) {
        Path file = GoldenFiles.resource("npy/" + name);

        assertThatThrownBy(() -> Npy.read(file))
                .isInstanceOf(DataException.class)
                .hasMessageStartingWith(file + ": must hold little-endian float32 ('<f4') in row-major order, says {");
    }

    @Test
    void aFileCutAtAnyByteOrTooLongIsRefused() throws IOException {
        byte[] whole = Files.readAllBytes(GoldenFiles.resource("npy/float32-2x3.npy"));
        for (int length = 0; length <= whole.length + 4; length++) {
            Path cut = IdxBytes.write(folder.resolve("cut.npy"), Arrays.copyOf(whole, length));
            if (length != whole.length) {
                assertThatThrownBy(() -> Npy.read(cut))
                        .isInstanceOf(DataException.class)
                        .hasMessageStartingWith(cut + ": ");
            }
        }
    }

    @Test
    void shapesThatDoNotFitAreRefused() {
        Path file = folder.resolve("x.npy");

        assertThatThrownBy(() -> Npy.write(file, new float[3], 2, 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("an array of shape [2, 2] cannot hold 3 values");
        assertThatThrownBy(() -> Npy.write(file, new float[4], -2, -2)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Npy.write(file, new float[0], 1 << 16, 1 << 16))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(file).doesNotExist();
    }

    @Test
    void rowsThatAreCutOrCannotBeMadeLeaveNoFile() {
        Path file = folder.resolve("x.npy");
        UncheckedIOException source = new UncheckedIOException("rows.csv cannot be read", new IOException("gone"));

        assertThatThrownBy(() -> Npy.write(file, 2, new int[] {2, 2}, rows -> rows.accept(new float[7])))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("7 values are no whole number of rows of shape [2, 2]");
        assertThatThrownBy(() -> Npy.write(file, 2, new int[] {2, 2}, rows -> {
                    throw source;
                }))
                .isSameAs(source);
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void filesThatAreNotThereOrCannotBeWrittenAreNamed() {
        Path file = folder.resolve("none/x.npy");

        assertThatThrownBy(() -> Npy.read(file)).hasMessage(file + ": there is no such file");
        assertThatThrownBy(() -> Npy.write(file, new float[1], 1))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageStartingWith("cannot write the array " + file);
    }
}
