package hocket.workbench.pictures.plot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.data.Offset.offset;

import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FieldPlotTest {
    private static final int YELLOW = 0xF0E442;
    private static final int RED = 0xB2182B;
    private static final int BLUE = 0x2166AC;

    @TempDir
    private Path here;

    @Test
    void aUnitIsAsLongUpAsAcross() throws IOException {
        float[] corners = {-3, -1, 3, -1, -3, 1, 3, 1};
        List<int[]> found = yellow(draw(new float[] {0}, 1, 1, 4, 2, corners));
        int width = extent(found, 0);
        int height = extent(found, 1);
        assertThat(width / (double) height).isCloseTo(3, offset(0.1));
    }

    @Test
    void theFirstRowIsTheLowest() throws IOException {
        BufferedImage image = draw(new float[] {1, 1, -1, -1}, 2, 2, 1, 1, new float[0]);
        int x = image.getWidth() / 2;
        assertThat(rgb(image, x, image.getHeight() / 4)).isEqualTo(BLUE);
        assertThat(rgb(image, x, image.getHeight() * 3 / 4)).isEqualTo(RED);
    }

    @Test
    void placesOfAnySizeAreDrawn() throws IOException {
        for (float far : new float[] {1e-30f, 1e7f, 3e38f}) {
            assertThat(yellow(draw(new float[] {0}, 1, 1, 1.3 * far, 1.3 * far, new float[] {far, -far, -far, far})))
                    .as("%s", far)
                    .hasSizeGreaterThan(20);
        }
    }

    @Test
    void pointsOutOfBoundsAreLeftOut() throws IOException {
        int inside =
                yellow(draw(new float[] {0}, 1, 1, 1, 1, new float[] {0, 0})).size();
        int both = yellow(draw(new float[] {0}, 1, 1, 1, 1, new float[] {0, 0, 0, 1.5f, Float.NaN, 0}))
                .size();
        assertThat(inside).isPositive();
        assertThat(both).isEqualTo(inside);
    }

    @Test
    void withoutAFieldThereAreNoColoursAndNoBarOfThem() throws IOException {
        BufferedImage field = draw(new float[] {0}, 1, 1, 1, 1, new float[] {0, 0});
        BufferedImage none = draw(new float[0], 0, 0, 1, 1, new float[] {0, 0});
        assertThat(yellow(none)).hasSameSizeAs(yellow(field));
        assertThat(coloured(field)).isPositive();
        assertThat(coloured(none)).isZero();
        assertThat(none.getWidth()).as("a film's pictures are of one size").isEqualTo(field.getWidth());
    }

    /** How many pixels are neither grey nor yellow. */
    private static long coloured(BufferedImage image) {
        return IntStream.range(0, image.getWidth() * image.getHeight())
                .mapToObj(i -> new Color(image.getRGB(i % image.getWidth(), i / image.getWidth())))
                .filter(pixel -> pixel.getBlue() > pixel.getRed() + 40 || pixel.getRed() > pixel.getGreen() + 40)
                .count();
    }

    @Test
    void betweenTheMiddlesOfCellsAFieldIsLinear() {
        ScalarField scalarField = new ScalarField(new float[] {0, 1, 2, 3}, 2, 2, new Extent(0, 1), new Extent(0, 1));
        assertThat(scalarField.at(0.25, 0.25)).isZero();
        assertThat(scalarField.at(0.75, 0.75)).isEqualTo(3);
        assertThat(scalarField.at(0.5, 0.5)).isEqualTo(1.5);
        assertThat(scalarField.at(0, 1)).isEqualTo(2);
    }

    @Test
    void whiteIsZeroWhereThereAreBothSignsElseTheMiddle() {
        Color white = new Color(0xF7, 0xF7, 0xF7);
        assertThat(DivergingColours.over(new Extent(-1, 5)).of(0)).isEqualTo(white);
        assertThat(DivergingColours.over(new Extent(-1, 5)).of(5).getRGB() & 0xFFFFFF)
                .isEqualTo(RED);
        assertThat(DivergingColours.over(new Extent(0, 1)).of(0.5)).isEqualTo(white);
        assertThat(DivergingColours.over(new Extent(2, 2)).of(2)).isEqualTo(white);
        assertThat(DivergingColours.over(new Extent(0, 1)).of(Double.NaN)).isNotEqualTo(white);
    }

    @Test
    void whatDoesNotFitTogetherIsRefused() {
        assertThatThrownBy(() -> draw(new float[3], 2, 2, 1, 1, new float[0]))
                .hasMessage("a field of 2 columns and 2 rows needs a value for each cell, got 3");
        assertThatThrownBy(() -> draw(new float[1], 1, 1, -1, 1, new float[0]))
                .hasMessage("a field's left must be below its right and its bottom below its top,"
                        + " got 1.0, -1.0, -1.0, 1.0");
        assertThatThrownBy(() -> draw(new float[1], 1, 1, 1, 1, new float[3]))
                .hasMessage(
                        "points of the plane have two numbers each, got 0 numbers of real ones and 3 of drawn ones");
    }

    private BufferedImage draw(float[] field, int columns, int rows, double right, double top, float[] drawn)
            throws IOException {
        Path png = here.resolve("field.png");
        FieldPlot.write(png, field, columns, rows, -right, right, -top, top, new float[0], drawn, "output", "Ring");
        return ImageIO.read(png.toFile());
    }

    /** The pixels of drawn points, without the one in the legend. */
    private static List<int[]> yellow(BufferedImage image) {
        List<int[]> found = new ArrayList<>();
        for (int y = 2 * 60; y < image.getHeight(); y++) {
            for (int x = 0; x < image.getWidth(); x++) {
                if (rgb(image, x, y) == YELLOW) {
                    found.add(new int[] {x, y});
                }
            }
        }
        return found;
    }

    private static int extent(List<int[]> pixels, int axis) {
        return pixels.stream().mapToInt(pixel -> pixel[axis]).max().orElseThrow()
                - pixels.stream().mapToInt(pixel -> pixel[axis]).min().orElseThrow();
    }

    private static int rgb(BufferedImage image, int x, int y) {
        return image.getRGB(x, y) & 0xFFFFFF;
    }
}
