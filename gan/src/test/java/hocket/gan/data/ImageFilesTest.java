package hocket.gan.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import hocket.gan.data.ImageFolder.Broken;
import hocket.schedulers.formats.Npy;
import hocket.schedulers.formats.Npz;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImageFilesTest {
    @TempDir
    private Path here;

    private Path idx;
    private Path pictures;

    @BeforeEach
    void makeFiles() throws IOException {
        idx = Files.createDirectory(here.resolve("idx"));
        Files.write(idx.resolve("train-images-idx3-ubyte.gz"), Digits.bytes(Digits.IMAGES));
        Files.write(idx.resolve("train-labels-idx1-ubyte.gz"), Digits.bytes(Digits.LABELS));
        pictures = Files.createDirectory(here.resolve("pictures"));
        for (int i = 0; i < 5; i++) {
            new ImageGrid(1, 0, 1)
                    .write(pictures.resolve(i + ".png"), Digits.load().image(i), 1, 8, 8);
        }
    }

    private static ImageFiles files(Path data, int side, int channels, int images) {
        return new ImageFiles(data, side, channels, images, Broken.REFUSE);
    }

    @Test
    void aFolderOfIdxFilesKeepsItsSizeAndLabels() {
        Images images = files(idx, 28, 1, 0).open("images", 64, true).images();
        assertThat(images).hasToString("1797 images of (1,8,8), 10 classes");
    }

    /** A record of CIFAR-10: the label, and pixels that are red, green and blue by a third each. */
    private static byte[] record(int label, int red, int green, int blue) {
        byte[] record = new byte[3073];
        record[0] = (byte) label;
        Arrays.fill(record, 1, 1025, (byte) red);
        Arrays.fill(record, 1025, 2049, (byte) green);
        Arrays.fill(record, 2049, 3073, (byte) blue);
        return record;
    }

    private static byte[] records(byte[]... records) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] record : records) {
            all.write(record);
        }
        return all.toByteArray();
    }

    @Test
    void theTrainingFilesOfCifarAreReadInOrderAndATestFileByItsName() throws IOException {
        Path cifar = Files.createDirectory(here.resolve("cifar"));
        Files.write(cifar.resolve("data_batch_2.bin"), records(record(9, 0, 255, 51)));
        Files.write(cifar.resolve("data_batch_1.bin"), records(record(3, 255, 0, 0), record(0, 0, 0, 204)));
        Files.write(cifar.resolve("test_batch.bin"), record(7, 0, 0, 0));
        Files.writeString(cifar.resolve("batches.meta.txt"), "airplane");
        ImageSource source = files(cifar, 28, 1, 0).open("images", 2, true);
        Images images = source.images();
        assertThat(images).hasToString("3 images of (3,32,32), 10 classes");
        assertThat(images.labels()).containsExactly(3, 0, 9);
        assertThat(images.image(2)[0]).isEqualTo(-1);
        assertThat(images.image(2)[1024]).isEqualTo(1);
        assertThat(images.image(2)[3071]).isEqualTo(-0.6f);
        assertThat(source.notes())
                .containsExactly("3 images of (3,32,32), 10 classes in the CIFAR-10 files of " + cifar);
        assertThat(source.origins()).hasSize(2);
        Images test = files(cifar.resolve("test_batch.bin"), 28, 1, 0)
                .open("images", 1, true)
                .images();
        assertThat(test.labels()).containsExactly(7);
    }

    @Test
    void filesThatAreNotCifarsAreRefused() throws IOException {
        Path cut = Files.write(here.resolve("cut.bin"), Arrays.copyOf(record(1, 0, 0, 0), 3000));
        assertThatThrownBy(() -> files(cut, 28, 1, 0).open("images", 1, true))
                .hasMessage(cut + ": must have records of 3073 bytes, a label and 3 x 32 x 32 pixels as in CIFAR-10, "
                        + "but has 3000 bytes");
        Path wrong = Files.write(here.resolve("wrong.bin"), records(record(1, 0, 0, 0), record(10, 0, 0, 0)));
        assertThatThrownBy(() -> files(wrong, 28, 1, 0).open("images", 1, true))
                .hasMessage(wrong + ": labels must be in 0..9, label 1 is 10");
        Path empty = Files.write(here.resolve("empty.bin"), new byte[0]);
        assertThatThrownBy(() -> files(empty, 28, 1, 0).open("images", 1, true)).hasMessageEndingWith("has 0 bytes");
    }

    @Test
    void arraysOfNumPyAreReadWithTheLabelsBesideThem() {
        Path images = here.resolve("images.npy");
        Npy.write(images, Tensor.of(Shape.of(2, 2, 3), new float[] {-1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.5f}));
        assertThat(files(images, 28, 1, 0).open("images", 1, true).images())
                .hasToString("2 images of (1,2,3), no labels");
        Path labels = here.resolve("labels.npy");
        Npy.write(labels, Tensor.of(Shape.of(2, 1), new long[] {4, 0}));
        ImageSource source = files(images, 28, 1, 0).open("images", 1, true);
        assertThat(source.images().labels()).containsExactly(4, 0);
        assertThat(source.images().image(1)).containsExactly(0, 0, 0, 0, 0, 0.5f);
        assertThat(source.origins()).hasSize(2);
        Npy.write(labels, Tensor.of(Shape.of(1), new long[] {4}));
        assertThatThrownBy(() -> files(images, 28, 1, 0).open("images", 1, true))
                .hasMessage(labels + ": holds 1 labels, but there are 2 images");
    }

    @Test
    void archivesOfNumPyAreReadByTheNamesOfTheirArraysAndChannelsMayBeLast() {
        Path archive = here.resolve("mnist.npz");
        float[] pixels = new float[24];
        pixels[3 * 5 + 1] = 0.5f; // image 1, row 0, column 1, green
        Npz.write(
                archive,
                new TreeMap<>(Map.of(
                        "x_train", Tensor.of(Shape.of(2, 2, 2, 3), pixels),
                        "y_train", Tensor.of(Shape.of(2), new long[] {1, 0}),
                        "x_test", Tensor.of(Shape.of(1), new long[] {1}))));
        Images images = files(archive, 28, 1, 0).open("images", 1, true).images();
        assertThat(images).hasToString("2 images of (3,2,2), 2 classes");
        assertThat(images.image(1)).containsExactly(0, 0, 0, 0, 0, 0.5f, 0, 0, 0, 0, 0, 0);
        Npz.write(archive, new TreeMap<>(Map.of("weights", Tensor.of(Shape.of(1), new long[] {1}))));
        assertThatThrownBy(() -> files(archive, 28, 1, 0).open("images", 1, true))
                .hasMessage(archive + ": its images must be called images, image, x_train, train_images, x; its arrays"
                        + " are weights");
    }

    @Test
    void aFileOfNoKnownKindIsRefused() {
        Path picture = pictures.resolve("0.png");
        assertThatThrownBy(() -> files(picture, 28, 1, 0).open("images", 1, true))
                .isInstanceOf(DataException.class)
                .hasMessageStartingWith(picture + ": is a file; expected a folder of images, or a file");
    }

    @Test
    void imagesAreConvertedToTheRequestedSizeAndChannels() {
        ImageSource source = files(pictures, 12, 3, 0).open("images", 2, true);
        assertThat(source.images()).hasToString("5 images of (3,12,12), no labels");
        assertThat(source.columns()).hasToString("[image (3,12,12) FLOAT32]");
    }

    @Test
    void theColumnsAreDeclaredByHeadersAndNamesWithoutAnImage() throws IOException {
        Path array = here.resolve("last.npy");
        Npy.write(array, Tensor.of(Shape.of(2, 4, 5, 3), new float[120]));
        Path cifar = Files.write(here.resolve("one.bin"), records(record(0, 0, 0, 0), record(1, 0, 0, 0)));
        for (Path data : List.of(idx, idx.resolve("train-images-idx3-ubyte.gz"), pictures, array, cifar)) {
            ImageFiles each = files(data, 12, 3, 0);
            assertThat(each.declaredColumns())
                    .contains(each.open("images", 2, true).columns());
        }
        Path classes = here.resolve("classes");
        Files.writeString(Files.createDirectories(classes.resolve("0")).resolve("broken.png"), "");
        assertThat(files(classes, 12, 1, 0).declaredColumns().orElseThrow())
                .hasToString("[image (1,12,12) FLOAT32, label () INT64]");
        assertThat(files(here.resolve("gone"), 12, 1, 0).declaredColumns()).isEmpty();
    }

    @Test
    void aSubsetOfImagesIsSpreadOverAll() {
        Images all = files(pictures, 8, 1, 0).open("images", 2, true).images();
        Images some = files(pictures, 8, 1, 2).open("images", 2, true).images();
        assertThat(some.count()).isEqualTo(2);
        assertThat(some.image(0)).isIn(all.image(0), all.image(1));
        assertThat(some.image(1)).isIn(all.image(2), all.image(3), all.image(4));
        assertThat(files(pictures, 8, 1, 99).open("images", 2, true).images().count())
                .isEqualTo(5);
    }

    private void colour(String name, int height, int width) throws IOException {
        float[] pixels = new float[3 * height * width];
        Arrays.fill(pixels, 0, height * width, 0.5f);
        new ImageGrid(1, 0, 1).write(pictures.resolve(name), pixels, 3, height, width);
    }

    @Test
    void itReportsTheNumberOfImagesAndTheirConversions() throws IOException {
        assertThat(files(pictures, 8, 1, 0).open("images", 2, true).notes())
                .containsExactly("5 pictures found in " + pictures, "all are 8 x 8 as they should be");
        colour("wide.png", 8, 12);
        colour("square.png", 16, 16);
        assertThat(files(pictures, 8, 1, 3).open("images", 2, true).notes())
                .containsExactly(
                        "7 pictures found in " + pictures,
                        "2 of 7 scaled to 8 x 8, 1 of them cropped to its proportions",
                        "2 of 7 were in colour and became grey; channels: 3 keeps it",
                        "3 of 7 used, spread evenly over all");
        assertThat(files(pictures, 8, 3, 0).open("images", 2, true).notes()).noneMatch(note -> note.contains("grey"));
        assertThat(files(idx, 8, 1, 0).open("images", 2, true).notes())
                .containsExactly("1797 images of (1,8,8), 10 classes in the IDX files of " + idx);
    }

    @Test
    void itRemarksThatNoPixelIsDarkerThanGreyAndThatArraysKeepTheirSize() throws IOException {
        Path file = pictures.resolve("floats.npy");
        Npy.write(file, Tensor.of(Shape.of(2, 1, 2), new float[] {0, 0.25f, 1, 0}));
        assertThat(files(file, 8, 1, 0).open("images", 2, true).notes())
                .containsExactly(
                        "2 images of (1,1,2), no labels in the file " + file,
                        "no pixel is below 0, and black is -1; if floats are in 0..1, store 2x - 1 instead",
                        "images keep their 1 x 2; side resizes those of a folder of PNG or JPEG files only");
        Npy.write(file, Tensor.of(Shape.of(2, 1, 2), new float[] {0, 0.25f, 1, -0.5f}));
        assertThat(files(file, 28, 1, 0).open("images", 2, true).notes()).hasSize(1);
    }

    @Test
    void itReportsSkippedFilesAndTransparency() throws IOException {
        for (String name : List.of("a.webp", "b.bmp", "notes.txt", "z.gif", ".hidden")) {
            Files.writeString(pictures.resolve(name), "of another kind");
        }
        Files.createSymbolicLink(pictures.resolve("c.png"), here.resolve("gone"));
        BufferedImage clear = new BufferedImage(8, 8, BufferedImage.TYPE_INT_ARGB);
        clear.setRGB(1, 1, 0xffffffff);
        ImageIO.write(clear, "png", pictures.resolve("clear.png").toFile());
        BufferedImage opaque = new BufferedImage(8, 8, BufferedImage.TYPE_INT_ARGB);
        for (int i = 0; i < 64; i++) {
            opaque.setRGB(i % 8, i / 8, 0xff000000);
        }
        ImageIO.write(opaque, "png", pictures.resolve("opaque.png").toFile());
        assertThat(files(pictures, 8, 1, 0).open("images", 2, true).notes())
                .containsExactly(
                        "7 pictures found in " + pictures,
                        "all are 8 x 8 as they should be",
                        "1 of 7 are transparent in places; the colours hidden there are used",
                        "5 files of another kind skipped: a.webp; b.bmp; c.png; and 2 more");
    }

    @Test
    void brokenImagesAreRefusedOrSkippedAndNamed() throws IOException {
        Images whole = files(pictures, 8, 1, 0).open("images", 2, true).images();
        Path broken = Files.writeString(pictures.resolve("1a.png"), "no picture");
        assertThatThrownBy(() -> files(pictures, 8, 1, 0).open("images", 2, true))
                .isInstanceOf(DataException.class)
                .hasMessageStartingWith(broken + ": ")
                .hasMessageEndingWith("; broken: skip leaves such images out");
        ImageSource skipping = new ImageFiles(pictures, 8, 1, 0, Broken.SKIP).open("images", 2, true);
        assertThat(skipping.images().pixels()).isEqualTo(whole.pixels());
        assertThat(skipping.notes())
                .contains("6 pictures found in " + pictures)
                .anyMatch(note -> note.startsWith("1 broken picture left out: " + broken + ": "));
        for (int i = 0; i < 5; i++) {
            Files.writeString(pictures.resolve(i + ".png"), "no picture");
        }
        assertThatThrownBy(() -> new ImageFiles(pictures, 8, 1, 0, Broken.SKIP).open("images", 2, true))
                .hasMessageStartingWith(pictures + ": has no intact picture: 6 were left out, the first for this: ");
    }

    @Test
    void anUnreadableImageIsNotReportedAsABrokenOne() throws IOException {
        Path memory = Path.of("/proc/self/mem"); // a file whose beginning nobody may read, not even root
        assumeTrue(Files.isRegularFile(memory));
        Path unread = Files.createSymbolicLink(pictures.resolve("1a.png"), memory);
        assertThatThrownBy(() -> new ImageFiles(pictures, 8, 1, 0, Broken.SKIP).open("images", 2, true))
                .isInstanceOf(DataException.class)
                .hasMessageStartingWith(unread + ": cannot be read: ");
    }

    @Test
    void aClassKeepsItsLabelWhereAnImageOfAnotherIsBroken() throws IOException {
        Path classes = here.resolve("classes");
        for (String name : List.of("a", "b")) {
            Path inner = Files.createDirectories(classes.resolve(name));
            for (int i = 0; i < 2; i++) {
                Files.copy(pictures.resolve(i + ".png"), inner.resolve(i + ".png"));
            }
        }
        Files.writeString(classes.resolve("a").resolve("0.png"), "no picture");
        ImageSource source = new ImageFiles(classes, 8, 1, 0, Broken.SKIP).open("images", 2, true);
        assertThat(source.images().labels()).containsExactly(0, 1, 1);
        assertThat(source.notes()).contains("4 pictures found in " + classes + ", in 2 folders, each a class");
    }

    @Test
    void aFolderThatIsNotThereIsRefusedByItsPath() {
        Path nowhere = here.resolve("nowhere");
        assertThatThrownBy(() -> files(nowhere, 28, 1, 0).open("images", 64, true))
                .isInstanceOf(DataException.class)
                .hasMessage(nowhere + ": there is no such folder of images");
    }

    @Test
    void settingsOutOfRangeAreRefusedByName() {
        assertThatThrownBy(() -> files(idx, 0, 1, 0)).hasMessage("side: must be at least 1, was 0");
        assertThatThrownBy(() -> files(idx, 28, 2, 0)).hasMessage("channels: must be 1 or 3, was 2");
        assertThatThrownBy(() -> files(idx, 28, 1, -1)).hasMessage("images: must be at least 0, was -1");
    }
}
