package hocket.workbench.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import hocket.gan.data.Digits;
import hocket.gan.data.ImageFolder;
import hocket.gan.data.ImageGrid;
import hocket.gan.data.Images;
import hocket.schedulers.formats.Npy;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Scores of digits that a memoriser would return, and refusals. */
class ScoreCommandTest {
    @TempDir
    Path here;

    /** Writes training digits, five of six, as generated ones, with their labels. */
    private void memorised(int count) {
        Images digits = Digits.load()
                .at(IntStream.range(0, 1797)
                        .filter(row -> row % 6 != 5)
                        .limit(count)
                        .toArray());
        Npy.write(here.resolve("some.npy"), Tensor.of(Shape.of(count, 1, 8, 8), digits.pixels()));
        Npy.write(
                here.resolve("labels.npy"),
                Tensor.of(
                        Shape.of(count),
                        IntStream.of(digits.labels()).asLongStream().toArray()));
    }

    @Test
    @Tag("engine")
    void aMemoriserIsExposedByItsNearestNeighboursAlone() throws IOException {
        memorised(200);
        Ran ran = Ran.hocket(
                here,
                "score",
                "--generated",
                "some.npy",
                "--data",
                "digits:train",
                "--held-out",
                "digits:test",
                "--labels",
                "labels.npy",
                "--json");
        assertThat(ran.status()).as(ran.err()).isZero();
        JsonNode scores = new ObjectMapper().readTree(ran.out());
        assertThat(scores.get("rows").asInt()).isEqualTo(200);
        assertThat(scores.get("nearest_neighbour_ratio").asDouble()).isZero();
        assertThat(scores.get("precision").asDouble()).isEqualTo(1);
        assertThat(scores.get("label_agreement").asDouble()).isGreaterThan(0.95);
        assertThat(scores.get("classification_accuracy_score").asDouble()).isGreaterThan(0.7);
        JsonNode references = scores.get("references");
        assertThat(references.get("bootstrap").get("rows").asInt()).isEqualTo(200);
        assertThat(references.get("gaussian").get("precision").asDouble()).isLessThan(0.5);
        assertThat(references.get("held_out").get("nearest_neighbour_ratio").asDouble())
                .isBetween(0.6, 1.0);
        Ran table = Ran.hocket(here, "score", "--generated", "some.npy", "--data", "digits:test");
        assertThat(table.out()).contains("samples", "N                      200", "frechet_distance");
    }

    @Test
    @Tag("engine")
    void foldersOfImagesAreScored() throws IOException {
        Images digits = Digits.load();
        for (String folder : new String[] {"fakes", "photos"}) {
            Files.createDirectories(here.resolve(folder));
            for (int i = 0; i < 12; i++) {
                int row = folder.equals("fakes") ? i : 100 + i;
                new ImageGrid(1, 0, 1).write(here.resolve(folder).resolve(i + ".png"), digits.image(row), 1, 8, 8);
            }
        }
        Ran ran = Ran.hocket(here, "score", "--generated", "fakes", "--data", "photos");
        assertThat(ran.status()).as(ran.err()).isZero();
        assertThat(ran.out()).contains("sliced_wasserstein").doesNotContain("classifier_confidence");
        assertThat(ran.err()).doesNotContain("warning");
        for (String name : new String[] {"fakes", "photos"}) {
            Images read = ImageFolder.read(here.resolve(name), 1, 8, 8);
            Npy.write(here.resolve(name + ".npy"), Tensor.of(Shape.of(12, 1, 8, 8), read.pixels()));
        }
        Ran arrays = Ran.hocket(here, "score", "--generated", "fakes.npy", "--data", "photos.npy");
        assertThat(arrays.out()).as("grey pictures have one channel").isEqualTo(ran.out());
        assertThat(Ran.hocket(here, "score", "--generated", "fakes", "--data", "digits")
                        .status())
                .isZero();
    }

    @Test
    @Tag("engine")
    void aBrokenImageIsRefusedOrSkippedAndCounted() throws IOException {
        Images digits = Digits.load();
        for (String folder : new String[] {"fakes", "photos"}) {
            Files.createDirectories(here.resolve(folder));
            for (int i = 0; i < 12; i++) {
                new ImageGrid(1, 0, 1).write(here.resolve(folder).resolve(i + ".png"), digits.image(i), 1, 8, 8);
            }
            Files.writeString(here.resolve(folder).resolve("5a.png"), "no picture");
        }
        refused("--skip-broken leaves such images out", "--generated", "fakes", "--data", "photos");
        Ran ran = Ran.hocket(here, "score", "--generated", "fakes", "--data", "photos", "--skip-broken", "--json");
        assertThat(ran.status()).as(ran.err()).isZero();
        assertThat(ran.err()).contains("warning  broken images skipped: 2, the first for this: ", "5a.png");
        assertThat(new ObjectMapper().readTree(ran.out()).get("rows").asInt()).isEqualTo(12);
        Npy.write(here.resolve("labels.npy"), Tensor.of(Shape.of(13), new long[13]));
        Ran labelled = Ran.hocket(
                here, "score", "--generated", "fakes", "--data", "digits", "--labels", "labels.npy", "--skip-broken");
        assertThat(labelled.status()).isEqualTo(2);
        assertThat(labelled.err())
                .contains("--skip-broken skips 1 of --generated fakes: remove broken images with their labels");
    }

    @Test
    @Tag("engine")
    void picturesThatAreScaledAreSaidToBe() throws IOException {
        Files.createDirectories(here.resolve("photos"));
        for (int i = 0; i < 12; i++) {
            new ImageGrid(1, 0, 2)
                    .write(
                            here.resolve("photos").resolve(i + ".png"),
                            Digits.load().image(i),
                            1,
                            8,
                            8);
        }
        memorised(20);
        Ran ran = Ran.hocket(here, "score", "--generated", "some.npy", "--data", "photos", "--threads", "1");
        assertThat(ran.status()).as(ran.err()).isZero();
        assertThat(ran.err()).contains("warning  --data photos: 12 of 12 scaled to 8 x 8");
    }

    @Test
    @Tag("engine")
    void featuresOfAClassOfOnesOwnAreCompared() throws IOException {
        memorised(20);
        OwnClasses.folder(here, """
                package my;
                import hocket.gan.data.Images;
                import hocket.gan.scores.*;
                import hocket.scopes.Tensor;
                public record Bright() implements Evaluator {
                    public FeatureRows features(Tensor images, Images real, int threads) {
                        float[] pixels = images.floats();
                        for (int i = 0; i < pixels.length; i++) {
                            pixels[i] = 3 * pixels[i];
                        }
                        return new FeatureRows(pixels, 64);
                    }
                }
                """);
        double pixels = distance();
        double bright = distance("--features", "{class: my.Bright}", "--classpath", "classes");
        assertThat(bright).isCloseTo(9 * pixels, withinPercentage(0.01));
    }

    private double distance(String... more) throws IOException {
        List<String> all =
                new ArrayList<>(List.of("score", "--generated", "some.npy", "--data", "digits:test", "--json"));
        all.addAll(List.of(more));
        Ran ran = Ran.hocket(here, all.toArray(String[]::new));
        assertThat(ran.status()).as(ran.err()).isZero();
        return new ObjectMapper().readTree(ran.out()).get("frechet_distance").asDouble();
    }

    @Test
    void floatsOfAnotherRangeAreRemarkedOn() {
        Npy.write(here.resolve("bright.npy"), Tensor.of(Shape.of(20, 1, 8, 8), new float[20 * 64]));
        Ran ran = Ran.hocket(here, "score", "--generated", "bright.npy", "--data", "digits:test");
        assertThat(ran.status()).as(ran.err()).isZero();
        assertThat(ran.err()).contains("--generated bright.npy: no pixel is below 0, and black is -1");
    }

    @Test
    void whatCannotBeScoredIsRefusedInOneSentence() {
        memorised(20);
        refused("none.npy: there is no such file", "--generated", "none.npy", "--data", "digits");
        refused(
                "there is no such file or folder, and no data of this name; names are digits, digits:test, digits:train",
                "--generated",
                "some.npy",
                "--data",
                "digit");
        refused(
                "--features: must be keys and values with one of the keys pixels, classifier, or class, was pixel; did you"
                        + " mean pixels?",
                "--generated",
                "some.npy",
                "--data",
                "digits",
                "--features",
                "pixel");
        refused("--threads must be at least 1, was 0", "--generated", "some.npy", "--data", "digits", "--threads", "0");
        refused(
                "--held-out digits:train: held-out images must not be real ones",
                "--generated",
                "some.npy",
                "--data",
                "digits:train",
                "--held-out",
                "digits:train");
        refused(
                "--features: classifier is trained on labels, but --data some.npy has none",
                "--generated",
                "some.npy",
                "--data",
                "some.npy",
                "--features",
                "classifier");
        refused(
                "--labels: need data with labels, but --data some.npy has none",
                "--generated",
                "some.npy",
                "--data",
                "some.npy",
                "--labels",
                "labels.npy");
        refused("Missing required option: '--data=DATA'", "--generated", "some.npy");
        Npy.write(here.resolve("few.npy"), Tensor.of(Shape.of(3, 1, 8, 8), new float[192]));
        refused("--generated few.npy: needs at least 12 images, has 3", "--generated", "few.npy", "--data", "digits");
        refused("--data few.npy: needs at least 12 images, has 3", "--generated", "some.npy", "--data", "few.npy");
        refused(
                "--labels labels.npy: must have a label for each of the 15 generated images, has 20",
                "--generated",
                fifteen(),
                "--data",
                "digits",
                "--labels",
                "labels.npy");
        Npy.write(here.resolve("wide.npy"), Tensor.of(Shape.of(20, 1, 4, 16), new float[1280]));
        refused(
                "--generated wide.npy: images must be (1,8,8) as those of digits are, but are (1,4,16)",
                "--generated",
                "wide.npy",
                "--data",
                "digits");
    }

    private String fifteen() {
        Npy.write(here.resolve("fifteen.npy"), Tensor.of(Shape.of(15, 1, 8, 8), new float[960]));
        return "fifteen.npy";
    }

    private void refused(String reason, String... arguments) {
        String[] all = new String[arguments.length + 1];
        all[0] = "score";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        Ran ran = Ran.hocket(here, all);
        assertThat(ran.status()).isEqualTo(2);
        assertThat(ran.err()).contains(reason).doesNotContain("\tat ");
        assertThat(ran.err().strip().lines()).hasSize(1);
    }
}
