package hocket.workbench.pictures.plot;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AggregatePlotTest {
    private static final double[] THRESHOLDS = {0, 1, 2};

    @TempDir
    private Path here;

    private static AggregatePlot.Algorithm algorithm(String name, double value, double low, double high) {
        return new AggregatePlot.Algorithm(
                name, value, low, high, new double[] {1, 0.5, 0}, new double[] {1, 0.3, 0}, new double[] {1, 0.7, 0});
    }

    private BufferedImage draw(AggregatePlot.Algorithm... algorithms) throws IOException {
        List<Path> files = new AggregatePlot("return_mean", THRESHOLDS, List.of(algorithms)).write("aggregate", here);
        assertThat(files).containsExactly(here.resolve("aggregate.svg"), here.resolve("aggregate.png"));
        return ImageIO.read(new File(files.get(1).toString()));
    }

    @Test
    void aBetterAlgorithmIsFurtherRightInItsOwnRow() throws IOException {
        BufferedImage image = draw(algorithm("Ppo", 2, 1.5, 2.5), algorithm("A2c", 1, 0.5, 1.5));
        List<int[]> first = places(image, Palette.line(0));
        List<int[]> second = places(image, Palette.line(1));
        assertThat(mean(first, 0)).isGreaterThan(mean(second, 0) + 50);
        assertThat(mean(first, 1)).isLessThan(mean(second, 1) - 50);
        assertThat(Files.readString(here.resolve("aggregate.svg")))
                .contains("interquartile mean", "performance profile", ">return_mean<", ">Ppo<", ">A2c<");
    }

    @Test
    void theBarIsAsWideAsTheInterval() throws IOException {
        BufferedImage image = draw(algorithm("Ppo", 1, 0.8, 1.2), algorithm("A2c", 1, 0.4, 1.6));
        assertThat(width(image, 1) / (double) width(image, 0)).isBetween(2.8, 3.2);
    }

    @Test
    void anIntervalWithoutWidthAndALongNameAreDrawn() throws IOException {
        BufferedImage image = draw(algorithm("a.very.long.name.of.an.Algorithm".repeat(4), 500, 500, 500));
        assertThat(places(image, Palette.line(0))).isNotEmpty();
    }

    @Test
    void manyAlgorithmsMakeATallerPicture() throws IOException {
        int few = draw(algorithm("a", 1, 0, 2)).getHeight();
        AggregatePlot.Algorithm[] many = IntStream.range(0, 30)
                .mapToObj(i -> algorithm("a" + i, i, i - 1, i + 1))
                .toArray(AggregatePlot.Algorithm[]::new);
        assertThat(draw(many).getHeight()).isGreaterThan(2 * few);
    }

    /** The pixels of a colour in the left half. */
    private static List<int[]> places(BufferedImage image, Color colour) {
        List<int[]> places = new ArrayList<>();
        for (int y = 0; y < image.getHeight(); y++) {
            for (int x = 0; x < image.getWidth() / 2; x++) {
                if ((image.getRGB(x, y) & 0xFFFFFF) == (colour.getRGB() & 0xFFFFFF)) {
                    places.add(new int[] {x, y});
                }
            }
        }
        return places;
    }

    private static int width(BufferedImage image, int number) {
        List<int[]> bar = places(image, Palette.faint(Palette.line(number)));
        return bar.stream().mapToInt(place -> place[0]).max().orElseThrow()
                - bar.stream().mapToInt(place -> place[0]).min().orElseThrow();
    }

    private static double mean(List<int[]> places, int axis) {
        return places.stream().mapToInt(place -> place[axis]).average().orElseThrow();
    }
}
