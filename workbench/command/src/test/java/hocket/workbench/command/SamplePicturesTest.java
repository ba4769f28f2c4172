package hocket.workbench.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import hocket.gan.data.Digits;
import hocket.programs.Graph;
import hocket.programs.Layers;
import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Operators;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.schedulers.Columns;
import hocket.schedulers.formats.Npy;
import hocket.schedulers.settings.NetworkDefinition;
import hocket.schedulers.settings.Networks;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Samples beside their nearest training rows, samples on the way from one to another, and points over a field. */
@Tag("engine")
class SamplePicturesTest {
    @TempDir
    static Path here = Path.of("");

    /** A generator that returns the training rows that it is given. */
    public record Memoriser() implements NetworkDefinition {
        @Override
        public Networks build(Columns columns) {
            Graph graph = new Graph();
            Value image = graph.input("image", columns.shape("image"));
            Value brightness;
            try (var line = graph.module("line")) {
                brightness = Layers.dense("brightness", Operators.flatten(image), 1);
            }
            return Networks.of(
                    graph,
                    Program.compile("fit", Mode.TRAIN, Loss.of(Operators.mean(Operators.square(brightness)))),
                    Program.compile("draw", Mode.EVAL, Operators.scale(image, 1)));
        }
    }

    @BeforeAll
    static void train() throws IOException {
        fine("run", "tiny-gan", "--quiet", "--set", "part=test", "--set", "epochs=1", "--out", "digits");
        fine(
                "run",
                "digits-conditional",
                "--quiet",
                "--set",
                "width=4",
                "--set",
                "evaluation=",
                "--set",
                "on=[]",
                "--set",
                "budget={rounds: 2}",
                "--out",
                "labelled");
        fine(
                "run",
                "gaussian-ring",
                "--quiet",
                "--set",
                "rounds=2",
                "--set",
                "evaluation=",
                "--set",
                "on=[]",
                "--out",
                "ring");
        Files.writeString(here.resolve("memoriser.yaml"), """
                name: memoriser
                network: {class: hocket.workbench.command.SamplePicturesTest.Memoriser}
                feeds: {digits: {class: Optdigits, part: test, batch: 16}}
                turns: {fit: {program: fit, updates: {"line/**": {sgd: {rate: 1e-3}}}}}
                plan: fit
                budget: {rounds: 2}
                samples: draw
                """);
        fine("run", "memoriser.yaml", "--quiet", "--out", "memoriser");
    }

    private static Ran fine(String... arguments) {
        Ran ran = Ran.hocket(here, arguments);
        assertThat(ran.status()).as(ran.err()).isZero();
        return ran;
    }

    private static void refused(String message, String... arguments) {
        Ran ran = Ran.hocket(here, arguments);
        assertThat(ran.status()).as(ran.err()).isEqualTo(2);
        assertThat(ran.err()).contains(message).doesNotContain("\tat ");
        assertThat(ran.errLines()).hasSize(1);
    }

    private static Tensor array(String file) throws IOException {
        return Npy.open(here.resolve(file)).tensor();
    }

    /** Returns the digits of {@code part: test}. */
    private static List<float[]> testDigits() {
        return IntStream.range(0, 1797)
                .filter(row -> row % 6 == 5)
                .mapToObj(row -> Digits.load().image(row))
                .toList();
    }

    private static float[] image(Tensor strips, int strip, int number) {
        int from = (strip * strips.shape().get(1) + number) * 64;
        return Arrays.copyOfRange(strips.floats(), from, from + 64);
    }

    private static double distance(float[] one, float[] other) {
        return Math.sqrt(IntStream.range(0, one.length)
                .mapToDouble(i -> (double) one[i] - other[i])
                .map(difference -> difference * difference)
                .sum());
    }

    @Test
    void theNearestTrainingRowOfAMemorisedSampleIsThatRow() throws IOException {
        Ran ran = fine("sample", "memoriser", "--count", "20", "--neighbours", "2", "--out", "memorised.npy");
        assertThat(ran.err())
                .contains("wrote 20 samples (1,8,8) with the 2 nearest of 299 rows of digits to ")
                .contains("distances to the nearest row are 0.00 to 0.00, median 0.00");
        Tensor strips = array("memorised.npy");
        for (int i = 0; i < 20; i++) {
            assertThat(image(strips, i, 1)).isEqualTo(image(strips, i, 0));
            assertThat(image(strips, i, 2)).isNotEqualTo(image(strips, i, 0));
        }
    }

    @Test
    void eachSampleIsBesideItsNearestTrainingRowsInTheirOrder() throws IOException {
        fine("sample", "digits", "--count", "5", "--out", "samples.npy");
        Ran ran = fine("sample", "digits", "--count", "5", "--neighbours", "3", "--out", "beside.npy");
        Tensor strips = array("beside.npy");
        assertThat(strips.shape()).isEqualTo(Shape.of(5, 4, 1, 8, 8));
        for (int i = 0; i < 5; i++) {
            float[] sample = image(strips, i, 0);
            assertThat(sample).isEqualTo(Arrays.copyOfRange(array("samples.npy").floats(), 64 * i, 64 * (i + 1)));
            List<float[]> nearest = new ArrayList<>(testDigits());
            nearest.sort(Comparator.comparingDouble(row -> distance(row, sample)));
            for (int k = 0; k < 3; k++) {
                assertThat(image(strips, i, 1 + k)).isEqualTo(nearest.get(k));
            }
        }
        assertThat(ran.err()).doesNotContain("are 0.00 to");
    }

    @Test
    void aPictureHasARowOfNeighboursForEachSampleAndTheSameSeedGivesTheSameBytes() throws IOException {
        String[] command = {"sample", "digits", "--count", "4", "--neighbours", "3", "--seed", "5", "--out", "a.png"};
        fine(command);
        byte[] first = Files.readAllBytes(here.resolve("a.png"));
        fine(command);
        assertThat(Files.readAllBytes(here.resolve("a.png"))).isEqualTo(first);
        command[7] = "6";
        fine(command);
        assertThat(Files.readAllBytes(here.resolve("a.png"))).isNotEqualTo(first);
        BufferedImage picture = ImageIO.read(here.resolve("a.png").toFile());
        int image = 7 * 8 + 3;
        assertThat(picture.getWidth()).isEqualTo(4 * image + 3 + 6);
        assertThat(picture.getHeight()).isEqualTo(4 * image + 3);
    }

    @Test
    void theEndsOfAWayAreSamplesAndTheSameSeedGivesTheSameBytes() throws IOException {
        fine("sample", "digits", "--count", "6", "--seed", "3", "--out", "ends.npy");
        for (String file : List.of("ways.npy", "again.npy")) {
            Ran ran = fine("sample", "digits", "--interpolate", "5", "--count", "3", "--seed", "3", "--out", file);
            assertThat(ran.err()).contains("wrote 3 rows of 5 samples (1,8,8) to ");
        }
        assertThat(here.resolve("again.npy")).hasSameBinaryContentAs(here.resolve("ways.npy"));
        Tensor ways = array("ways.npy");
        float[] ends = array("ends.npy").floats();
        assertThat(ways.shape()).isEqualTo(Shape.of(3, 5, 1, 8, 8));
        for (int way = 0; way < 3; way++) {
            for (int end = 0; end < 2; end++) {
                int from = 64 * (2 * way + end);
                assertThat(distance(image(ways, way, 4 * end), Arrays.copyOfRange(ends, from, from + 64)))
                        .isLessThan(1e-5);
            }
            assertThat(distance(image(ways, way, 2), image(ways, way, 0))).isGreaterThan(1e-3);
        }
        fine("sample", "digits", "--interpolate", "5", "--count", "3", "--out", "ways.png");
        assertThat(ImageIO.read(here.resolve("ways.png").toFile()).getHeight()).isEqualTo(3 * (7 * 8 + 3) + 3);
        fine("sample", "ring", "--interpolate", "5", "--count", "3", "--out", "points.npy");
        assertThat(array("points.npy").shape()).isEqualTo(Shape.of(3, 5, 2));
    }

    @Test
    void aFolderHasAPngOfEachSample() throws IOException {
        assertThat(fine("sample", "digits", "--count", "5", "--seed", "3", "--out", "each/")
                        .err())
                .contains("wrote 5 samples (1,8,8) to ");
        fine("sample", "digits", "--count", "5", "--seed", "3", "--out", "each.npy");
        float[] samples = array("each.npy").floats();
        for (int i = 0; i < 5; i++) {
            BufferedImage image =
                    ImageIO.read(here.resolve("each/00000" + i + ".png").toFile());
            assertThat(image.getWidth() * image.getHeight()).isEqualTo(64);
            for (int pixel = 0; pixel < 64; pixel++) {
                int grey = image.getRaster().getSample(pixel % 8, pixel / 8, 0);
                assertThat(grey).isCloseTo(Math.round((samples[64 * i + pixel] + 1) * 127.5f), within(1));
            }
        }
        assertThat(Files.list(here.resolve("each"))).hasSize(5);
        refused("must be a new or empty folder, and has files", "sample", "digits", "--count", "5", "--out", "each/");
        refused("write a .npy file", "sample", "ring", "--count", "5", "--out", "points/");
        assertThat(here.resolve("points")).doesNotExist();
    }

    @Test
    void aLatentWalkIsAFilmWithAnImageForEachLabel() throws IOException {
        Ran ran = fine("sample", "labelled", "--interpolate", "3", "--count", "4", "--out", "walk.gif");
        assertThat(ran.err()).contains("wrote 8 frames of 10 samples (1,8,8) to ");
        BufferedImage all = frames("walk.gif").get(0);
        fine("sample", "labelled", "--interpolate", "3", "--count", "4", "--label", "3", "--out", "three.gif");
        assertThat(frames("three.gif")).hasSize(8);
        assertThat(frames("three.gif").get(0).getWidth()).isLessThan(all.getWidth());
        fine("sample", "labelled", "--interpolate", "3", "--count", "4", "--out", "again.gif");
        assertThat(here.resolve("again.gif")).hasSameBinaryContentAs(here.resolve("walk.gif"));
    }

    @Test
    void theLabelsOfSamplesAreWrittenBesideThem() throws IOException {
        Ran ran = fine("sample", "labelled", "--count", "12", "--out", "some.npy", "--labels-out", "of-some.npy");
        assertThat(ran.err()).contains("wrote 12 samples (1,8,8) to ", "wrote their labels to ");
        assertThat(array("of-some.npy").longs()).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1);
        fine("sample", "labelled", "--count", "2", "--label", "3", "--out", "threes/", "--labels-out", "threes.npy");
        assertThat(array("threes.npy").longs()).containsExactly(3, 3);
        refused("labels: program draw reads no labels", "sample", "digits", "--out", "a.npy", "--labels-out", "b.npy");
        refused(
                "--labels-out must be another file than --out and end in .npy, was a.npy",
                "sample",
                "labelled",
                "--out",
                "a.npy",
                "--labels-out",
                "a.npy");
        refused(
                "--labels-out is of single samples",
                "sample",
                "labelled",
                "--interpolate",
                "3",
                "--out",
                "a.npy",
                "--labels-out",
                "b.npy");
    }

    private static List<BufferedImage> frames(String file) throws IOException {
        ImageReader reader = ImageIO.getImageReadersByFormatName("gif").next();
        try (ImageInputStream in =
                ImageIO.createImageInputStream(here.resolve(file).toFile())) {
            reader.setInput(in);
            List<BufferedImage> frames = new ArrayList<>();
            for (int i = 0; i < reader.getNumImages(true); i++) {
                frames.add(reader.read(i));
            }
            return frames;
        } finally {
            reader.dispose();
        }
    }

    @Test
    void pointsAreDrawnWithRealOnesOverTheDiscriminatorsOutput() throws IOException {
        String[] command = {"sample", "ring", "--count", "500", "--out", "modes.png"};
        assertThat(fine(command).err()).contains("wrote 500 samples (2) to ");
        byte[] first = Files.readAllBytes(here.resolve("modes.png"));
        fine(command);
        assertThat(Files.readAllBytes(here.resolve("modes.png"))).isEqualTo(first);
        BufferedImage picture = ImageIO.read(here.resolve("modes.png").toFile());
        int[] colours = picture.getRGB(0, 0, picture.getWidth(), picture.getHeight(), null, 0, picture.getWidth());
        assertThat(colours).contains(0xFFF0E442); // samples are yellow
        assertThat(Arrays.stream(colours).filter(colour -> colour == 0xFFFFFFFF).count())
                .as("pixels without a colour of the field")
                .isLessThan(colours.length * 6L / 10);
    }

    @Test
    void whatCannotBePicturedIsRefusedInOneSentence() {
        refused("--neighbours must be at least 1, was 0", "sample", "digits", "--neighbours", "0", "--out", "x.png");
        refused(
                "--neighbours 300: feed digits has 299 rows",
                "sample",
                "digits",
                "--neighbours",
                "300",
                "--out",
                "x.png");
        refused(
                "samples of gaussian-ring have shape (2), which is not an image: --neighbours compares pixels",
                "sample",
                "ring",
                "--neighbours",
                "2",
                "--out",
                "x.png");
        refused(
                "--neighbours and --interpolate cannot be combined",
                "sample",
                "digits",
                "--neighbours",
                "2",
                "--interpolate",
                "2",
                "--out",
                "x.png");
        refused(
                "--interpolate must be at least 2, the ends of a way, was 1",
                "sample",
                "digits",
                "--interpolate",
                "1",
                "--out",
                "x.png");
        refused(
                "--out must end in .npy or .png with --neighbours and --interpolate, was x.csv",
                "sample",
                "digits",
                "--neighbours",
                "2",
                "--out",
                "x.csv");
        refused("--out x.gif: a film shows steps: add --interpolate 16", "sample", "digits", "--out", "x.gif");
        refused(
                "--count: must be at least 2 for a film, was 1",
                "sample",
                "digits",
                "--interpolate",
                "3",
                "--count",
                "1",
                "--out",
                "x.gif");
        refused(
                "program draw draws no noise that could be interpolated",
                "sample",
                "memoriser",
                "--interpolate",
                "3",
                "--out",
                "x.png");
        refused(
                "have shape (2), which is not an image: write a .npy file",
                "sample",
                "ring",
                "--interpolate",
                "3",
                "--out",
                "x.png");
        assertThat(here.resolve("x.png")).doesNotExist();
    }
}
