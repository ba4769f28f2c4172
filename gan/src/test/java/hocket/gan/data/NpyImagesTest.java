package hocket.gan.data;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.schedulers.formats.Npy;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NpyImagesTest {
    @TempDir
    Path folder;

    private Path file(Tensor array) {
        Path file = folder.resolve("some.npy");
        Npy.write(file, array);
        return file;
    }

    /** A file of bytes (2, 1, 1, 2), as {@code numpy.save} writes it. */
    private Path bytes(int... values) throws IOException {
        String header = "{'descr': '|u1', 'fortran_order': False, 'shape': (2, 1, 1, 2), }";
        String padded = header + " ".repeat(117 - header.length()) + "\n";
        StringBuilder all = new StringBuilder("\u0093NUMPY\u0001\u0000v\u0000").append(padded);
        for (int value : values) {
            all.append((char) value);
        }
        return Files.write(folder.resolve("bytes.npy"), all.toString().getBytes(ISO_8859_1));
    }

    @Test
    void floatsAreKeptAndBytesAreMapped() throws IOException {
        Tensor floats = Tensor.of(Shape.of(2, 1, 1, 2), new float[] {-1, 1, 0.25f, 0});
        assertThat(NpyImages.generated(file(floats)).floats()).isEqualTo(floats.floats());
        assertThat(NpyImages.real(bytes(0, 255, 51, 204)).pixels()).containsExactly(-1, 1, -0.6f, 0.6f);
    }

    @Test
    void generatedValuesMayExceedOneALittleAndRealOnesMayNot() {
        Path file = file(Tensor.of(Shape.of(1, 1, 1, 2), new float[] {1.5f, 0}));
        assertThat(NpyImages.generated(file).floats()).contains(1.5f);
        assertThatThrownBy(() -> NpyImages.real(file))
                .hasMessage(file + ": floats must be in -1..1 (uint8 may be 0..255), but image 0 has 1.5 at element 0");
    }

    @Test
    void filesOfAnotherShapeTypeOrRangeAreRefused() {
        Path flat = file(Tensor.of(Shape.of(2, 4), new float[8]));
        assertThatThrownBy(() -> NpyImages.generated(flat))
                .hasMessage(flat + ": images must be (N,channels,height,width), (N,height,width,channels) or"
                        + " (N,height,width) of float32 or uint8 with 1 or 3 channels, but are (2,4) of F32");
        Path transparent = file(Tensor.of(Shape.of(1, 8, 8, 4), new float[256]));
        assertThatThrownBy(() -> NpyImages.real(transparent))
                .hasMessageEndingWith("with 1 or 3 channels, but are (1,8,8,4) of F32");
        Path wide = file(Tensor.of(Shape.of(1, 1, 1, 1), new long[] {3}));
        assertThatThrownBy(() -> NpyImages.generated(wide)).hasMessageEndingWith("but are (1,1,1,1) of I64");
        Path infinite = file(Tensor.of(Shape.of(1, 1, 1, 2), new float[] {0, Float.NaN}));
        assertThatThrownBy(() -> NpyImages.generated(infinite)).hasMessageEndingWith("image 0 has NaN at element 1");
        assertThatThrownBy(() -> NpyImages.generated(folder.resolve("none.npy")))
                .hasMessageEndingWith("no such file");
    }

    @Test
    void labelsAreWholeNumbersFromZeroOn() {
        assertThat(NpyImages.labels(file(Tensor.of(Shape.of(3), new long[] {2, 0, 1}))))
                .containsExactly(2, 0, 1);
        Path negative = file(Tensor.of(Shape.of(2), new long[] {2, -1}));
        assertThatThrownBy(() -> NpyImages.labels(negative)).hasMessageEndingWith("0..65535, label 1 is -1");
        Path real = file(Tensor.of(Shape.of(2), new float[] {2, 1}));
        assertThatThrownBy(() -> NpyImages.labels(real)).hasMessageEndingWith("whole numbers, but are (2) FLOAT32");
    }
}
