package hocket.gan.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IdxTest {
    private static final int UBYTE = 0x08;

    @TempDir
    Path folder;

    private Path file(String name, byte[] bytes) {
        return IdxBytes.write(folder.resolve(name), bytes);
    }

    /** Two images of 1 x 2. */
    private static byte[] images() {
        return IdxBytes.of(UBYTE, new int[] {2, 1, 2}, out -> out.put(new byte[] {0, (byte) 255, 51, (byte) 204}));
    }

    private static byte[] labels(int... labels) {
        return IdxBytes.of(
                UBYTE, new int[] {labels.length}, out -> Arrays.stream(labels).forEach(label -> out.put((byte) label)));
    }

    @Test
    void bytesBecomePixelsFromMinusOneToOne() {
        Images images = Idx.images(file("x", images()));

        assertThat(images).hasToString("2 images of (1,1,2), no labels");
        assertThat(images.pixels()).containsExactly(-1, 1, (float) (51 / 127.5 - 1), (float) (204 / 127.5 - 1));
    }

    @Test
    void theMaximumIsTheLargestPixelValue() {
        byte[] bytes = IdxBytes.of(UBYTE, new int[] {1, 1, 3}, out -> out.put(new byte[] {0, 6, 16}));

        assertThat(Idx.images(file("x", bytes), 16).pixels()).containsExactly(-1, -0.25f, 1);
        assertThatThrownBy(() -> Idx.images(file("x", bytes), 15))
                .isInstanceOf(DataException.class)
                .hasMessage(folder.resolve("x") + ": values must be in 0..15, element 2 of image 0 is 16");
        assertThatThrownBy(() -> Idx.images(file("x", bytes), 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the value of full ink must be a positive number, was 0.0");
    }

    @Test
    void everyElementTypeOfTheFormatIsRead() {
        record Case(int type, Consumer<ByteBuffer> elements) {}
        for (Case each : List.of(
                new Case(0x08, out -> out.put((byte) 0).put((byte) 32).put((byte) 64)),
                new Case(0x09, out -> out.put((byte) 0).put((byte) 32).put((byte) 64)),
                new Case(
                        0x0B,
                        out -> out.putShort((short) 0).putShort((short) 32).putShort((short) 64)),
                new Case(0x0C, out -> out.putInt(0).putInt(32).putInt(64)),
                new Case(0x0D, out -> out.putFloat(0).putFloat(32).putFloat(64)),
                new Case(0x0E, out -> out.putDouble(0).putDouble(32).putDouble(64)))) {
            byte[] bytes = IdxBytes.of(each.type(), new int[] {1, 3, 1}, each.elements());

            assertThat(Idx.images(file("plain", bytes), 64).pixels())
                    .as("type %#x", each.type())
                    .containsExactly(-1, 0, 1);
            assertThat(Idx.images(file("packed", IdxBytes.gzip(bytes)), 64).pixels())
                    .as("type %#x, gzip", each.type())
                    .containsExactly(-1, 0, 1);
        }
    }

    @Test
    void negativeAndNotANumberPixelsAreRefused() {
        byte[] negative = IdxBytes.of(0x0B, new int[] {1, 1, 1}, out -> out.putShort((short) -3));
        byte[] nan = IdxBytes.of(0x0D, new int[] {1, 1, 1}, out -> out.putFloat(Float.NaN));

        assertThatThrownBy(() -> Idx.images(file("x", negative))).hasMessageEndingWith("element 0 of image 0 is -3");
        assertThatThrownBy(() -> Idx.images(file("x", nan))).hasMessageEndingWith("element 0 of image 0 is NaN");
    }

    @Test
    void fourDimensionsHoldChannels() {
        byte[] bytes = IdxBytes.of(UBYTE, new int[] {2, 3, 1, 2}, out -> out.put(new byte[12]));
        byte[] channelsLast = IdxBytes.of(UBYTE, new int[] {1, 2, 2, 3}, out -> out.put(new byte[12]));

        assertThat(Idx.images(file("x", bytes))).hasToString("2 images of (3,1,2), no labels");
        assertThatThrownBy(() -> Idx.images(file("x", channelsLast)))
                .hasMessage(
                        folder.resolve("x") + ": images must have dimensions (N, height, width) or (N, 1 or 3, height,"
                                + " width), this file has 1 x 2 x 2 x 3");
    }

    @Test
    void labelsComeWithTheirImages() {
        Images images = Idx.images(file("images", images()), file("labels", IdxBytes.gzip(labels(3, 0))));

        assertThat(images.labels()).containsExactly(3, 0);
        assertThat(images.classes()).isEqualTo(4);
    }

    @Test
    void labelsOfOtherImagesAreRefusedBeforeTheImagesAreRead() {
        byte[] large = IdxBytes.of(UBYTE, new int[] {3000, 1, 1}, out -> out.put(new byte[3000]));
        Path packed = file("images", IdxBytes.gzip(large));
        Path labels = file("labels", labels(1, 2, 3));

        assertThatThrownBy(() -> Idx.images(packed, labels))
                .isInstanceOf(DataException.class)
                .hasMessage(labels + ": holds 3 labels, but " + packed + " holds 3000 images");
    }

    @Test
    void imageFilesAreRefusedAsLabelsAndLabelFilesAsImages() {
        Path images = file("images", images());
        Path labels = file("labels", labels(1, 2));
        Path fractions = file(
                "fractions",
                IdxBytes.of(0x0D, new int[] {2}, out -> out.putFloat(0).putFloat(1)));

        assertThatThrownBy(() -> Idx.images(labels, images))
                .hasMessageContaining("images must have dimensions (N, height, width)")
                .hasMessageEndingWith("this file has 2");
        assertThatThrownBy(() -> Idx.images(images, images))
                .hasMessageEndingWith(
                        "labels must have 1 dimension of whole numbers, this file has 2 x 1 x 2 elements of type UBYTE");
        assertThatThrownBy(() -> Idx.images(images, fractions)).hasMessageEndingWith("has 2 elements of type FLOAT");
    }

    @Test
    void labelsOutOfRangeAreRefused() {
        Path images = file("images", images());
        Path negative = file(
                "negative",
                IdxBytes.of(0x09, new int[] {2}, out -> out.put((byte) 0).put((byte) -1)));
        Path wild = file(
                "wild",
                IdxBytes.of(0x0C, new int[] {2}, out -> out.putInt(70_000).putInt(0)));

        assertThatThrownBy(() -> Idx.images(images, negative))
                .hasMessage(negative + ": labels must be in 0..65535, label 1 is -1");
        assertThatThrownBy(() -> Idx.images(images, wild)).hasMessageEndingWith("label 0 is 70000");
    }

    @Test
    void aFileCutAtAnyByteIsRefusedWithItsReasonAndLittleMemory() {
        byte[] plain = IdxBytes.of(0x0B, new int[] {3, 2, 2}, out -> out.put(new byte[24]));
        byte[] packed = IdxBytes.gzip(plain);
        for (byte[] whole : List.of(plain, packed)) {
            for (int length = 0; length < whole.length; length++) {
                Path cut = file("cut", Arrays.copyOf(whole, length));

                long bytes = Allocation.of(() -> assertThatThrownBy(() -> Idx.images(cut))
                        .isInstanceOf(DataException.class)
                        .hasMessageStartingWith(cut + ": ")
                        .hasMessageFindingMatch("cut|need|must be"));

                assertThat(bytes).as("bytes allocated at length %d", length).isLessThan(4 << 20);
            }
        }
    }

    @Test
    void aFileWithAnyByteChangedIsReadOrRefusedAndNeverTakesMuchMemory() {
        byte[] plain = IdxBytes.of(UBYTE, new int[] {3, 2, 2}, out -> out.put(new byte[12]));
        byte[] packed = IdxBytes.gzip(plain);
        for (byte[] whole : List.of(plain, packed)) {
            for (int at = 0; at < whole.length; at++) {
                for (int flip : new int[] {0x01, 0x10, 0x80, 0xff}) {
                    byte[] changed = whole.clone();
                    changed[at] ^= (byte) flip;
                    Path file = file("changed", changed);

                    assertThat(Allocation.of(() -> readOrRefuse(file))).isLessThan(4 << 20);
                }
            }
        }
    }

    private static void readOrRefuse(Path file) {
        try {
            assertThat(Idx.images(file).valuesPerImage()).isPositive();
        } catch (DataException refused) {
            assertThat(refused).hasMessageStartingWith(file + ": ");
        }
    }

    @Test
    void aGzipFileWithTrailingDataIsRefused() {
        byte[] bytes = Arrays.copyOf(images(), images().length + 1);

        assertThatThrownBy(() -> Idx.images(file("x", IdxBytes.gzip(bytes))))
                .hasMessage(folder.resolve("x")
                        + ": dimensions 2 x 1 x 2 (unsigned bytes) need 4 bytes after the header, more follow");
    }

    @Test
    void aSmallPackedFileThatClaimsMuchIsRefusedFromItsHeader() {
        byte[] claim = IdxBytes.of(UBYTE, new int[] {60_000, 28, 28}, out -> {});
        Path file = file("x", IdxBytes.gzip(claim));

        long bytes = Allocation.of(() -> assertThatThrownBy(() -> Idx.images(file))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("need 47040000 bytes after the header")
                .hasMessageContaining("cannot unpack to more than"));

        assertThat(bytes).isLessThan(4 << 20);
    }

    @Test
    void aMissingFileAndAFolderAreRefused() {
        assertThatThrownBy(() -> Idx.images(folder.resolve("none")))
                .isInstanceOf(DataException.class)
                .hasMessage(folder.resolve("none") + ": there is no such file");
        assertThatThrownBy(() -> Idx.images(folder)).hasMessage(folder + ": is not a file; expected an IDX file");
    }

    @Test
    void aDirectoryIsSearchedForTheUsualNames() throws IOException {
        for (String[] names : new String[][] {
            {"train-images-idx3-ubyte", "train-labels-idx1-ubyte.gz"},
            {"train-images.idx3-ubyte", "train-labels.idx1-ubyte"},
            {"train-images-idx3-ubyte.gz", "train-labels-idx1-ubyte"},
            {"train-images.idx3-ubyte.gz", "train-labels.idx1-ubyte.gz"},
        }) {
            Path mnist = Files.createTempDirectory(folder, "mnist");
            boolean packed = names[0].endsWith(".gz");
            IdxBytes.write(mnist.resolve(names[0]), packed ? IdxBytes.gzip(images()) : images());
            IdxBytes.write(mnist.resolve(names[1]), labels(1, 0));

            assertThat(Idx.directory(mnist)).hasToString("2 images of (1,1,2), 2 classes");
        }
    }

    @Test
    void aDirectoryWithoutTheFilesListsTheNamesTriedAndItsContents() {
        file("train-images-idx3-ubyte", images());
        file("notes.txt", new byte[0]);

        assertThatThrownBy(() -> Idx.directory(folder))
                .isInstanceOf(DataException.class)
                .hasMessage(folder + ": none of train-labels-idx1-ubyte, train-labels-idx1-ubyte.gz, "
                        + "train-labels.idx1-ubyte, train-labels.idx1-ubyte.gz is there; the folder holds notes.txt, "
                        + "train-images-idx3-ubyte");
        assertThatThrownBy(() -> Idx.directory(folder.resolve("none")))
                .hasMessage(folder.resolve("none") + ": there is no such folder");
        assertThatThrownBy(() -> Idx.directory(folder.resolve("notes.txt")))
                .hasMessage(folder.resolve("notes.txt") + ": is a file; expected a folder of IDX files");
    }
}
