package hocket.gan.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import hocket.gan.data.ImageFolder.Broken;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
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

    @Test
    void imagesAreConvertedToTheRequestedSizeAndChannels() {
        ImageSource source = files(pictures, 12, 3, 0).open("images", 2, true);
        assertThat(source.images()).hasToString("5 images of (3,12,12), no labels");
        assertThat(source.columns()).hasToString("[image (3,12,12) FLOAT32]");
    }

    @Test
    void theColumnsAreDeclaredByHeadersAndNamesWithoutAnImage() throws IOException {
        for (ImageFiles each : List.of(files(idx, 28, 3, 0), files(pictures, 12, 3, 0))) {
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
        assertThat(some.image(1)).isEqualTo(all.image(2));
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
                .hasMessageStartingWith(broken + ": ");
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
