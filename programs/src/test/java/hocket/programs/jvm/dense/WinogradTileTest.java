package hocket.programs.jvm.dense;

import static hocket.programs.Layers.kernel;
import static org.assertj.core.api.Assertions.assertThat;

import hocket.programs.layers.Window;
import hocket.scopes.Shape;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class WinogradTileTest {
    private static final Window HALVING = kernel(4).stride(2).pad(1);

    /** Two phases take 21 kinds along an axis of 7 results; by the definition they take 26 taps. */
    @Test
    void sevenByFourteenPixelsTakeTwoThirdsOfTheProducts() {
        assertThat(products(tiles(HALVING, 14, 7))).isEqualTo(21 * 21);
    }

    @Test
    void aTransposedConvolutionTakesAsMany() {
        Shape weight = Shape.of(128, 64, 4, 4);
        List<WinogradTile> tiles =
                WinogradTile.of(HALVING, true, weight, Shape.of(128, 7, 7), Shape.of(64, 14, 14), 64);
        assertThat(products(tiles)).isEqualTo(21 * 21);
        assertThat(pixels(tiles)).isEqualTo(14 * 14);
    }

    @Test
    void fourByFourPixelsOfA3By3WindowTakeSixteenProductsForFourPixelsWhateverTheRows() {
        Shape shape = Shape.of(64, 8, 8);
        for (int stride : new int[] {16, 64, 80}) {
            List<WinogradTile> tiles =
                    WinogradTile.of(kernel(3).pad(1), false, Shape.of(64, 64, 3, 3), shape, shape, stride);
            int blocks = stride == 80 ? 2 : 1;
            assertThat(products(tiles)).isEqualTo(16 * 16 * blocks);
            assertThat(pixels(tiles)).isEqualTo(64 * blocks);
            assertThat(tiles.stream().filter(tile -> tile.pixels()[0] == 64 % stride))
                    .allSatisfy(tile -> assertThat(tile.width()).isEqualTo(stride == 80 ? 16 : Math.min(stride, 64)));
        }
    }

    @Test
    void everyPixelOfTheResultIsInOneTile() {
        assertThat(pixels(tiles(HALVING, 14, 7))).isEqualTo(7 * 7);
        assertThat(pixels(tiles(HALVING, 16, 8))).isEqualTo(8 * 8);
    }

    @Test
    void whereTheEdgesLeaveLittleToSaveTheDefinitionIsTaken() {
        assertThat(tiles(HALVING, 4, 2)).isEmpty();
    }

    @Test
    void otherWindowsAndGroupsAreLeftToTheDefinition() {
        assertThat(tiles(kernel(4).stride(1).pad(1), 14, 13)).isEmpty();
        assertThat(tiles(kernel(4).stride(2).pad(1).dilation(2), 14, 5)).isEmpty();
        assertThat(tiles(kernel(4).stride(2).pad(1).groups(2), 14, 7)).isEmpty();
    }

    private static List<WinogradTile> tiles(Window window, int read, int written) {
        Shape x = Shape.of(64, read, read);
        return WinogradTile.of(window, false, Shape.of(128, 64, 4, 4), x, Shape.of(128, written, written), 64);
    }

    private static long products(List<WinogradTile> tiles) {
        return tiles.stream()
                .flatMap(tile -> Arrays.stream(tile.image()).flatMap(Arrays::stream))
                .filter(kind -> !kind.isZero())
                .count();
    }

    private static long pixels(List<WinogradTile> tiles) {
        return tiles.stream()
                .flatMapToInt(tile -> Arrays.stream(tile.pixels()))
                .distinct()
                .count();
    }
}
