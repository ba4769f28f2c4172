package hocket.gan.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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

    @Test
    void aFolderOfIdxFilesKeepsItsSizeAndLabels() {
        Images images = new ImageFiles(idx, 28, 1, 0).open("images", 64, true).images();
        assertThat(images).hasToString("1797 images of (1,8,8), 10 classes");
    }

    @Test
    void picturesAreBroughtToTheSizeAndChannelsAskedFor() {
        ImageSource source = new ImageFiles(pictures, 12, 3, 0).open("images", 2, true);
        assertThat(source.images()).hasToString("5 images of (3,12,12), no labels");
        assertThat(source.columns()).hasToString("[image (3,12,12) FLOAT32]");
    }

    @Test
    void someOfTheImagesAreSpreadOverAll() {
        Images all = new ImageFiles(pictures, 8, 1, 0).open("images", 2, true).images();
        Images some = new ImageFiles(pictures, 8, 1, 2).open("images", 2, true).images();
        assertThat(some.count()).isEqualTo(2);
        assertThat(some.image(1)).isEqualTo(all.image(2));
        assertThat(new ImageFiles(pictures, 8, 1, 99)
                        .open("images", 2, true)
                        .images()
                        .count())
                .isEqualTo(5);
    }

    @Test
    void aFolderThatIsNotThereIsRefusedByItsPath() {
        Path nowhere = here.resolve("nowhere");
        assertThatThrownBy(() -> new ImageFiles(nowhere, 28, 1, 0).open("images", 64, true))
                .isInstanceOf(DataException.class)
                .hasMessageStartingWith(nowhere + ": is not a folder of images.");
    }

    @Test
    void settingsOutOfRangeAreRefusedByName() {
        assertThatThrownBy(() -> new ImageFiles(idx, 0, 1, 0)).hasMessage("side: must be at least 1, was 0");
        assertThatThrownBy(() -> new ImageFiles(idx, 28, 2, 0)).hasMessage("channels: must be 1 or 3, was 2");
        assertThatThrownBy(() -> new ImageFiles(idx, 28, 1, -1)).hasMessage("images: must be at least 0, was -1");
    }
}
