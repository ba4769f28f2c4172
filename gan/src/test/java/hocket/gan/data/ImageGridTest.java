package hocket.gan.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImageGridTest {
    @TempDir
    Path folder;

    @Test
    void imagesFillTheGridRowByRowEnlargedAndApart() {
        // three images (1, 1, 2) in two columns, one pixel apart, twice the size
        BufferedImage picture = new ImageGrid(2, 1, 2).draw(new float[] {-1, 1, 1, -1, 1, 1}, 1, 1, 2);

        int g = 64;
        assertThat(grey(picture)).isDeepEqualTo(new int[][] {
            {g, g, g, g, g, g, g, g, g, g, g},
            {g, 0, 0, 255, 255, g, 255, 255, 0, 0, g},
            {g, 0, 0, 255, 255, g, 255, 255, 0, 0, g},
            {g, g, g, g, g, g, g, g, g, g, g},
            {g, 255, 255, 255, 255, g, g, g, g, g, g},
            {g, 255, 255, 255, 255, g, g, g, g, g, g},
            {g, g, g, g, g, g, g, g, g, g, g},
        });
    }

    @Test
    void stripsAreApartAndSoAreTheirFirstImages() {
        BufferedImage picture = new ImageGrid(4, 1, 1, 2, 1).draw(new float[] {-1, 1, -1, 1, -1, 1}, 1, 1, 1);

        int[][] grey = grey(picture);
        assertThat(grey).hasDimensions(5, 4 * 2 + 1 + 6 + 14 + 6);
        assertThat(grey[1][1]).isZero();
        assertThat(grey[1][3 + 6]).isEqualTo(255);
        assertThat(grey[1][5 + 6 + 14]).isZero();
        assertThat(grey[1][7 + 6 + 14 + 6]).isEqualTo(255);
        assertThat(grey[3][1]).isZero();
        assertThat(grey[3][3 + 6]).isEqualTo(255);
        assertThatThrownBy(() -> new ImageGrid(5, 1, 1, 2, 1))
                .hasMessage("a grid of 5 columns has no strips of 2 images of which 1 stand apart");
    }

    @Test
    void fewerImagesThanColumnsMakeANarrowerGrid() {
        BufferedImage picture = new ImageGrid(8, 0, 1).draw(new float[12], 1, 2, 2);

        assertThat(picture.getWidth()).isEqualTo(6);
        assertThat(picture.getHeight()).isEqualTo(2);
    }

    @Test
    void valuesBeyondTheRangeAreDrawnAsItsEnds() {
        float[] pixels = {-1e30f, -1.5f, -1, 0, 1, 1.5f, Float.POSITIVE_INFINITY, Float.NaN};

        assertThat(grey(new ImageGrid(1, 0, 1).draw(pixels, 1, 1, 8)))
                .isDeepEqualTo(new int[][] {{0, 0, 0, 128, 255, 255, 255, 0}});
    }

    @Test
    void theFileHoldsTheColoursThatWereDrawn() throws IOException {
        Path file = folder.resolve("grid.png");
        float[] pixels = {-1, 0.2f, 1, 0.6f, -0.6f, 0.2f}; // one image (3, 1, 2)
        Files.writeString(file, "something older and longer than the picture, which must not shine through".repeat(99));

        new ImageGrid(4, 0, 1).write(file, pixels, 3, 1, 2);

        float[] read = ImageFolder.read(folder, 3).pixels();
        for (int i = 0; i < pixels.length; i++) {
            assertThat(read[i]).isEqualTo(Math.round((pixels[i] + 1) * 127.5f) / 127.5f - 1, within(1e-6f));
        }
    }

    @Test
    void imagesThatCannotBeDrawnAreRefused() {
        ImageGrid grid = new ImageGrid(4, 1, 3);

        assertThatThrownBy(() -> grid.draw(new float[8], 2, 2, 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a grid draws images of 1 or 3 channels, got 2");
        assertThatThrownBy(() -> grid.draw(new float[7], 1, 2, 2))
                .hasMessage("images of (1,2,2) need a positive multiple of 4 pixels, got 7");
        assertThatThrownBy(() -> new ImageGrid(4, 1, 1 << 20).draw(new float[4], 1, 2, 2))
                .hasMessageContaining("a grid may have at most 67108864 pixels");
        assertThatThrownBy(() -> new ImageGrid(0, 1, 1))
                .hasMessage("a grid needs columns >= 1, padding >= 0 and scale >= 1, got 0, 1 and 1");
    }

    @Test
    void aFileThatCannotBeWrittenIsNamed() {
        Path file = folder.resolve("none/grid.png");

        assertThatThrownBy(() -> new ImageGrid(1, 0, 1).write(file, new float[1], 1, 1, 1))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageStartingWith("cannot write the picture " + file);
    }

    private static int[][] grey(BufferedImage picture) {
        int[][] rows = new int[picture.getHeight()][];
        for (int y = 0; y < rows.length; y++) {
            rows[y] = picture.getRaster().getSamples(0, y, picture.getWidth(), 1, 0, (int[]) null);
        }
        return rows;
    }
}
