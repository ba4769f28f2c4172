package hocket.gan.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ImageFolderTest {
    private static final JsonNode PILLOW = GoldenFiles.json(GoldenFiles.resource("pictures.json"));

    @TempDir
    Path folder;

    /** Puts one of the test pictures (6 x 9) under a name. */
    private void put(String picture, String name) throws IOException {
        Path target = folder.resolve(name);
        Files.createDirectories(target.getParent());
        Files.copy(GoldenFiles.resource("pictures/" + picture), target);
    }

    private void grey(String name, int height, int width, float pixel) throws IOException {
        Path target = folder.resolve(name);
        Files.createDirectories(target.getParent());
        float[] pixels = new float[height * width];
        Arrays.fill(pixels, pixel);
        new ImageGrid(1, 0, 1).write(target, pixels, 1, height, width);
    }

    static Stream<JsonNode> pictures() {
        return StreamSupport.stream(PILLOW.get("pictures").spliterator(), false);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("pictures")
    void anImageOfEachKindHasTheSamplesThatPillowReads(JsonNode picture) throws IOException {
        put(picture.get("file").asText(), picture.get("file").asText());
        float tolerance = 2 * (float) picture.get("tolerance").asDouble();

        Images grey = ImageFolder.read(folder, 1);
        Images colour = ImageFolder.read(folder, 3);

        assertThat(grey).hasToString("1 images of (1,6,9), no labels");
        assertThat(colour).hasToString("1 images of (3,6,9), no labels");
        assertThat(grey.pixels()).containsExactly(pixels(picture.get("grey")), within(tolerance));
        assertThat(colour.pixels()).containsExactly(pixels(picture.get("colour")), within(tolerance));
    }

    static Stream<JsonNode> sizes() {
        return StreamSupport.stream(PILLOW.get("fitted").spliterator(), false);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("sizes")
    void anImageIsResizedAsByPillow(JsonNode size) throws IOException {
        put("grey-8.png", "a.png");

        Images images = ImageFolder.read(
                folder, 1, size.get("height").asInt(), size.get("width").asInt());

        assertThat(images.height()).isEqualTo(size.get("height").asInt());
        assertThat(images.pixels()).containsExactly(pixels(size.get("grey")), within(2e-6f));
    }

    private static float[] pixels(JsonNode samples) {
        float[] pixels = GoldenFiles.floats(samples);
        for (int i = 0; i < pixels.length; i++) {
            pixels[i] = 2 * pixels[i] - 1;
        }
        return pixels;
    }

    @Test
    void imagesComeInTheOrderOfTheirNamesAndOtherFilesAreSkipped() throws IOException {
        grey("b.PNG", 1, 1, 0.2f);
        grey("a.png", 1, 1, -1);
        grey("c.png", 1, 1, 1);
        Files.writeString(folder.resolve("aa.txt"), "not a picture");
        Files.writeString(folder.resolve(".hidden.png"), "not a picture");

        Images images = ImageFolder.read(folder, 1);

        assertThat(images.isLabelled()).isFalse();
        assertThat(images.pixels()).containsExactly(new float[] {-1, 0.2f, 1}, within(0.004f));
    }

    @Test
    void subfoldersAreClassesInTheOrderOfTheirNames() throws IOException {
        grey("zebra/1.png", 2, 2, 1);
        grey("ant/1.png", 2, 2, -1);
        grey("ant/2.png", 2, 2, -1);
        Files.createDirectory(folder.resolve(".cache"));

        Images images = ImageFolder.read(folder, 1);

        assertThat(images).hasToString("3 images of (1,2,2), 2 classes");
        assertThat(images.labels()).containsExactly(0, 0, 1);
        assertThat(images.image(2)).containsOnly(1);
    }

    @Test
    void aFolderInsideAFolderOfImagesDoesNotMatterUnlessItHoldsImagesToo() throws IOException {
        grey("a.png", 1, 1, 0);
        Files.createDirectory(folder.resolve("notes"));
        assertThat(ImageFolder.read(folder, 1).count()).isEqualTo(1);

        grey("notes/b.png", 1, 1, 0);
        assertThatThrownBy(() -> ImageFolder.read(folder, 1))
                .isInstanceOf(DataException.class)
                .hasMessage(folder + ": images must lie in it or in its subfolders (one a class), not both: "
                        + folder.resolve("a.png") + " and " + folder.resolve("notes/b.png"));
    }

    @Test
    void imagesOfDifferentSizesAreRefusedUnlessASizeIsGiven() throws IOException {
        grey("a.png", 2, 3, -1);
        grey("b.png", 4, 4, 1);

        assertThatThrownBy(() -> ImageFolder.read(folder, 1))
                .isInstanceOf(DataException.class)
                .hasMessage(folder.resolve("b.png") + ": is 4 x 4 (height x width), but " + folder.resolve("a.png")
                        + " is 2 x 3; images that are not resized must have one size");
        assertThat(ImageFolder.read(folder, 1, 2, 2).pixels()).containsExactly(-1, -1, -1, -1, 1, 1, 1, 1);
    }

    @Test
    void oneBrokenImageRefusesTheFolderAndIsNamed() throws IOException {
        put("rgb.png", "a.png");
        put("rgb.png", "c.png");
        byte[] whole = Files.readAllBytes(folder.resolve("a.png"));
        Files.write(folder.resolve("b.png"), Arrays.copyOf(whole, whole.length / 2));

        assertThatThrownBy(() -> ImageFolder.read(folder, 3))
                .isInstanceOf(DataException.class)
                .hasMessageStartingWith(folder.resolve("b.png") + ": the PNG is cut");
    }

    @Test
    void aFolderWithoutImagesIsRefusedWithItsContents() throws IOException {
        assertThatThrownBy(() -> ImageFolder.read(folder, 1))
                .isInstanceOf(DataException.class)
                .hasMessage(folder + ": holds no .png, .jpg or .jpeg file; it holds nothing");

        Files.writeString(folder.resolve("a.gif"), "x");
        Files.writeString(folder.resolve(".b.png"), "x");
        assertThatThrownBy(() -> ImageFolder.read(folder, 1))
                .hasMessage(folder + ": holds no .png, .jpg or .jpeg file; it holds .b.png, a.gif");

        grey("x/1.png", 1, 1, 0);
        Files.createDirectory(folder.resolve("y"));
        assertThatThrownBy(() -> ImageFolder.read(folder, 1))
                .hasMessage(folder.resolve("y") + ": holds no .png, .jpg or .jpeg file; it holds nothing");
    }

    @Test
    void manyOtherFilesAreNotAllListed() throws IOException {
        for (int i = 0; i < 30; i++) {
            Files.createFile(folder.resolve("note" + i));
        }
        assertThatThrownBy(() -> ImageFolder.read(folder, 1)).hasMessageEndingWith("note26 and 10 more");
    }

    @Test
    void aPathThatIsNotAFolderIsRefused() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        assertThatThrownBy(() -> ImageFolder.read(file, 1))
                .hasMessage(file + ": is a file; expected a folder of images");
        assertThatThrownBy(() -> ImageFolder.read(folder.resolve("none"), 1))
                .hasMessage(folder.resolve("none") + ": there is no such folder");
    }

    @Test
    void channelsAndSizeAreChecked() {
        assertThatThrownBy(() -> ImageFolder.read(folder, 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("images have 1 channel (grey) or 3 (colour), asked for 2");
        assertThatThrownBy(() -> ImageFolder.read(folder, 1, 0, 8))
                .hasMessage("images need a size of at least 1 x 1, got 0 x 8");
    }

    @Test
    void moreImagesThanFitIntoMemoryAreRefusedBeforeTheyAreRead() throws IOException {
        grey("a.png", 1, 1, 0);
        grey("b.png", 1, 1, 0);

        assertThatThrownBy(() -> ImageFolder.read(folder, 1, 40_000, 40_000))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("2 images of (1,40000,40000) are more than the 2147483639 values");
    }
}
