package hocket.schedulers.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NpzTest {
    @TempDir
    Path folder;

    private static byte[] npy(Tensor array) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (ByteBuffer part : Npy.parts(array)) {
            byte[] some = new byte[part.remaining()];
            part.get(some);
            bytes.writeBytes(some);
        }
        return bytes.toByteArray();
    }

    /** An archive of these entries, deflated. */
    private Path zip(Map<String, byte[]> entries) throws IOException {
        Path file = folder.resolve("x.npz");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
            for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
                zip.putNextEntry(new ZipEntry(entry.getKey()));
                zip.write(entry.getValue());
            }
        }
        return file;
    }

    private static Tensor tensor(Map<String, Npy> arrays, String name) throws IOException {
        return Objects.requireNonNull(arrays.get(name), name).tensor();
    }

    @Test
    void whatIsWrittenIsReadBackAndIsTheSameEachTime() throws IOException {
        SortedMap<String, Tensor> arrays = new TreeMap<>(Map.of(
                "a", Tensor.of(Shape.of(2, 2), 1f, -0f, Float.NaN, 4f),
                "b/ü", Tensor.of(Shape.scalar(), 0.1),
                "c", Tensor.of(Shape.of(1), Long.MAX_VALUE)));
        Path first = folder.resolve("first.npz");
        Path second = folder.resolve("second.npz");

        Npz.write(first, arrays);
        Npz.write(second, arrays);

        SortedMap<String, Tensor> read = new TreeMap<>();
        for (Map.Entry<String, Npy> entry : Npz.read(first).entrySet()) {
            read.put(entry.getKey(), entry.getValue().tensor());
        }
        assertThat(read).isEqualTo(arrays);
        assertThat(first).hasSameBinaryContentAs(second);
    }

    @Test
    void archivesOfNumPyAreRead() throws IOException {
        for (String name : List.of("stored", "deflated")) {
            Map<String, Npy> arrays = Npz.read(GoldenFormats.resource("npy/" + name + ".npz"));

            assertThat(arrays.keySet()).containsExactly("a", "b/c", "scalar");
            assertThat(tensor(arrays, "a").doubles())
                    .isEqualTo(LongStream.range(0, 24).asDoubleStream().toArray());
            assertThat(tensor(arrays, "b/c"))
                    .isEqualTo(
                            Tensor.of(Shape.of(2, 3, 4), LongStream.range(0, 24).toArray()));
            assertThat(tensor(arrays, "scalar")).isEqualTo(Tensor.of(Shape.scalar(), 2.5));
        }
        Tensor zeros = tensor(Npz.read(GoldenFormats.resource("npy/zeros.npz")), "zeros");
        assertThat(zeros.shape()).isEqualTo(Shape.of(1 << 20));
    }

    @Test
    void whatIsNoArrayIsRefusedByName() throws IOException {
        Path text = zip(Map.of("readme.txt", new byte[3]));
        assertThatThrownBy(() -> Npz.read(text))
                .isInstanceOf(FormatException.class)
                .hasMessage(text + ": readme.txt: every entry must be called NAME.npy");
        Path wrong = zip(Map.of("a.npy", "no array at all".getBytes(StandardCharsets.US_ASCII)));
        assertThatThrownBy(() -> Npz.read(wrong))
                .isInstanceOf(FormatException.class)
                .hasMessage(wrong + ": a.npy: is not an .npy file: it must start with 93 'NUMPY' and its version");
        Path none = Files.write(folder.resolve("none.npz"), new byte[100]);
        assertThatThrownBy(() -> Npz.read(none))
                .isInstanceOf(FormatException.class)
                .hasMessageStartingWith(none + ": is not a sound zip archive: ");
    }

    @Test
    void aNameThatStandsTwiceIsRefused() throws IOException {
        Tensor one = Tensor.of(Shape.scalar(), 1f);
        Path file = zip(new TreeMap<>(Map.of("a.npy", npy(one), "b.npy", npy(one))));
        byte[] bytes = Files.readAllBytes(file);
        byte[] renamed = new String(bytes, StandardCharsets.ISO_8859_1)
                .replace("b.npy", "a.npy")
                .getBytes(StandardCharsets.ISO_8859_1);
        Files.write(file, renamed);

        assertThatThrownBy(() -> Npz.read(file))
                .isInstanceOf(FormatException.class)
                .hasMessage(file + ": a.npy: every entry must have a name of its own, this one is there twice");
    }

    @Test
    void whatUnpacksToMoreThanItsArrayIsRefusedBeforeItIsUnpacked() throws IOException {
        byte[] bomb = Arrays.copyOf(npy(Tensor.of(Shape.scalar(), 1f)), 1 << 28);
        Path file = zip(Map.of("a.npy", bomb));

        assertThatThrownBy(() -> Npz.read(file))
                .isInstanceOf(FormatException.class)
                .hasMessage(file + ": a.npy: shape [] of F32 needs 4 bytes, the archive says that there are "
                        + ((1 << 28) - 128));
    }

    @Test
    void entriesThatShareBytesAreRefusedBeforeTheyAreUnpacked() throws IOException {
        Path file = zip(Map.of("0.npy", npy(Tensor.of(Shape.of(1 << 18), new float[1 << 18]))));
        byte[] one = Files.readAllBytes(file);
        String text = new String(one, StandardCharsets.ISO_8859_1);
        int central = text.indexOf("PK\1\2");
        int end = text.indexOf("PK\5\6");
        int entries = 10;
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.write(one, 0, central);
        for (int i = 0; i < entries; i++) {
            all.writeBytes(
                    text.substring(central, end).replace("0.npy", i + ".npy").getBytes(StandardCharsets.ISO_8859_1));
        }
        ByteBuffer last =
                ByteBuffer.wrap(Arrays.copyOfRange(one, end, one.length)).order(ByteOrder.LITTLE_ENDIAN);
        last.putShort(8, (short) entries).putShort(10, (short) entries).putInt(12, entries * (end - central));
        all.writeBytes(last.array());
        Files.write(file, all.toByteArray());

        assertThatThrownBy(() -> Npz.read(file))
                .isInstanceOf(FormatException.class)
                .hasMessageMatching(
                        ".*: \\d.npy: must have bytes of its own: up to this entry, they would be more than the "
                                + all.size() + " of the file");
    }

    @Test
    void anArchiveThatSaysMoreThanDeflateCanPackIsRefused() throws IOException {
        Path file = zip(Map.of("a.npy", npy(Tensor.of(Shape.of(3), 1f, 2f, 3f))));
        byte[] bytes = Files.readAllBytes(file);
        int central = new String(bytes, StandardCharsets.ISO_8859_1).indexOf("PK\1\2");
        ByteBuffer.wrap(bytes).putInt(central + 24, 0xffffff7f); // the size, little-endian
        Files.write(file, bytes);

        assertThatThrownBy(() -> Npz.read(file))
                .isInstanceOf(FormatException.class)
                .hasMessageMatching(".*: a.npy: would unpack \\d+ bytes to 2147483647");
    }

    @Test
    void aChangedBitInAnElementIsNoticed() throws IOException {
        Path file = folder.resolve("x.npz");
        Npz.write(file, new TreeMap<>(Map.of("a", Tensor.of(Shape.of(3), 1f, 2f, 3f))));
        byte[] bytes = Files.readAllBytes(file);
        int at = new String(bytes, StandardCharsets.ISO_8859_1).indexOf("}") + 65;
        bytes[at] ^= 1;
        Files.write(file, bytes);

        assertThatThrownBy(() -> Npz.read(file))
                .isInstanceOf(FormatException.class)
                .hasMessageMatching(".*: a.npy: its CRC-32 is \\p{XDigit}{8}, the archive says .*: it was damaged");
    }
}
