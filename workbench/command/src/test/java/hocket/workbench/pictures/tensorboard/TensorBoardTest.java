package hocket.workbench.pictures.tensorboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import hocket.schedulers.Event;
import hocket.schedulers.checkpoint.Checkpoints;
import hocket.scopes.Path;
import hocket.scopes.Shape;
import hocket.scopes.Snapshot;
import hocket.scopes.Tensor;
import hocket.workbench.command.Forked;
import hocket.workbench.command.Ran;
import hocket.workbench.pictures.tensorboard.EventReader.Board;
import hocket.workbench.pictures.tensorboard.EventReader.Histogram;
import hocket.workbench.pictures.tensorboard.EventReader.Image;
import hocket.workbench.pictures.tensorboard.EventReader.Mark;
import hocket.workbench.pictures.tensorboard.EventReader.Scalar;
import hocket.workbench.runs.FolderRecorder;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.json.MetricLines;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What TensorBoard is given is what the run's folder has. */
@Tag("engine")
class TensorBoardTest {
    private static final String POINTS = """
            name: points
            threads: 1
            network: {class: TOYS.PointGan}
            feeds: {points: {class: TOYS.Points, batch: 8}}
            turns:
              d: {program: discriminator, updates: {"discriminator/**": {adam: {rate: 1e-3}}}}
              g: {program: generator, updates: {"generator/**": {adam: {rate: 1e-3}}}}
            plan: {sequence: [d, g]}
            budget: {rounds: 240}
            on: [{every: {rounds: 60}, do: [samples, save]}]
            samples: draw
            checkpoints: {last: 100}
            """.replace("TOYS.", "hocket.workbench.testing.Toys.");

    @TempDir
    private java.nio.file.Path here;

    @BeforeEach
    void isAFile() throws IOException {
        Files.writeString(here.resolve("points.yaml"), POINTS);
    }

    private void ran(String... arguments) {
        Ran ran = Ran.hocket(here, arguments);
        assertThat(ran.status()).as(ran.out() + ran.err()).isZero();
    }

    private RunFolder run(String name) {
        return new RunFolder(here.resolve(name));
    }

    private Board board(String name) throws IOException {
        return EventReader.read(run(name).tensorBoard());
    }

    /** Figure by figure, in order, with the times. */
    private void assertHasItsFigures(Board board, RunFolder run) {
        SortedMap<String, List<Scalar>> written = new TreeMap<>();
        MetricLines.readDrawn(
                run.metrics(),
                metric -> written.computeIfAbsent(metric.turn() + "/" + metric.name(), key -> new ArrayList<>())
                        .add(new Scalar(metric.step(), metric.time(), (float) metric.value())));
        assertThat(written).hasSizeGreaterThan(3);
        assertThat(board.scalars().keySet()).isEqualTo(written.keySet());
        written.forEach((tag, figures) -> {
            List<Scalar> read = EventReader.of(board.scalars(), tag);
            assertThat(read)
                    .extracting(Scalar::step, Scalar::value)
                    .containsExactlyElementsOf(figures.stream()
                            .map(each -> org.assertj.core.groups.Tuple.tuple(each.step(), each.value()))
                            .toList());
            for (int i = 0; i < read.size(); i++) {
                assertThat(read.get(i).time()).isCloseTo(figures.get(i).time(), within(5.0));
            }
        });
    }

    private static void assertHasItsPictures(Board board, RunFolder run, long... steps) throws IOException {
        List<Image> images = EventReader.of(board.images(), "samples");
        assertThat(images)
                .extracting(Image::step)
                .containsExactly(Arrays.stream(steps).boxed().toArray(Long[]::new));
        try (var files = Files.list(run.samples())) {
            List<java.nio.file.Path> pictures =
                    files.filter(file -> !file.endsWith("latest.png")).sorted().toList();
            assertThat(pictures).hasSameSizeAs(images);
            for (int i = 0; i < pictures.size(); i++) {
                var drawn = javax.imageio.ImageIO.read(pictures.get(i).toFile());
                assertThat(images.get(i).png()).isEqualTo(Files.readAllBytes(pictures.get(i)));
                assertThat(images.get(i).width()).isEqualTo(drawn.getWidth());
                assertThat(images.get(i).height()).isEqualTo(drawn.getHeight());
                assertThat(images.get(i).channels()).isEqualTo(3);
            }
        }
    }

    private static void assertHasItsParameters(Board board, RunFolder run) throws IOException {
        List<Long> saved = Checkpoints.numbers(run.checkpoints());
        for (long step : saved) {
            Snapshot parameters = Checkpoints.read(run.checkpoints(), step)
                    .state("parameters")
                    .snapshot();
            assertThat(board.histograms().keySet())
                    .containsExactlyElementsOf(parameters.tensors().keySet().stream()
                            .map(Path::text)
                            .sorted()
                            .toList());
            parameters.tensors().forEach((path, tensor) -> {
                Histogram found = EventReader.of(board.histograms(), path.text()).stream()
                        .filter(each -> each.step() == step)
                        .findFirst()
                        .orElseThrow();
                double[] values = tensor.doubles();
                Arrays.sort(values);
                assertThat(found.min()).isEqualTo(values[0]);
                assertThat(found.max()).isEqualTo(values[values.length - 1]);
                assertThat(found.num()).isEqualTo(values.length);
                assertThat(found.sum()).isCloseTo(Arrays.stream(values).sum(), within(1e-9));
                assertThat(Arrays.stream(found.buckets()).sum()).isEqualTo(values.length);
                assertThat(found.limits()).hasSameSizeAs(found.buckets()).isSorted();
            });
        }
        board.histograms()
                .values()
                .forEach(all -> assertThat(all).extracting(Histogram::step).isEqualTo(saved));
    }

    @Test
    void itHasTheFiguresPicturesAndParametersOfTheRun() throws IOException {
        ran("run", "points.yaml", "--out", "a", "--tensorboard", "--quiet");
        Board board = board("a");
        assertThat(board.marks()).containsExactly(new Mark("brain.Event:2", 0));
        assertHasItsFigures(board, run("a"));
        assertHasItsPictures(board, run("a"), 120, 240, 360, 480);
        assertHasItsParameters(board, run("a"));
        ran("verify", "a");
    }

    @Test
    void aRunThatGoesOnGoesOnWithIt() throws IOException {
        ran("run", "points.yaml", "--out", "a", "--tensorboard", "--quiet", "--set", "rounds=120");
        ran("run", "a", "--resume", "--quiet", "--set", "rounds=240");
        Board board = board("a");
        assertThat(board.marks())
                .containsExactly(new Mark("brain.Event:2", 0), new Mark("brain.Event:2", 0), new Mark("status 1", 241));
        assertHasItsFigures(board, run("a"));
        assertHasItsPictures(board, run("a"), 120, 240, 360, 480);
        assertHasItsParameters(board, run("a"));
    }

    @Test
    @Tag("processes")
    void whatAKilledProcessWroteBeyondItsCheckpointIsTakenBack() throws Exception {
        Process process = Forked.hocket(
                here,
                here.resolve("said.txt"),
                List.of(),
                "run",
                "points.yaml",
                "--out",
                "a",
                "--tensorboard",
                "--set",
                "rounds=1000000",
                "--set",
                "on=[{every: {rounds: 400}, do: [save]}]",
                "--set",
                "checkpoints.last=1");
        RunFolder run = run("a");
        while (!(Files.exists(run.checkpoints().resolve(Checkpoints.LATEST)) && beyond(run))) {
            assertThat(process.waitFor(10, TimeUnit.MILLISECONDS))
                    .as(Files.readString(here.resolve("said.txt")))
                    .isFalse();
        }
        process.destroyForcibly().waitFor();
        long checkpoint = Checkpoints.newest(run.checkpoints()).number();
        ran("run", "a", "--resume", "--quiet", "--set", "turns=" + (checkpoint + 300));
        Board board = board("a");
        assertThat(board.marks()).endsWith(new Mark("status 1", checkpoint + 1));
        assertHasItsFigures(board, run);
    }

    /** Whether there are events of turns that no checkpoint has. */
    private boolean beyond(RunFolder run) throws IOException {
        List<Long> all = Checkpoints.numbers(run.checkpoints());
        long saved = all.isEmpty() ? 0 : all.get(all.size() - 1);
        try {
            return EventReader.read(run.tensorBoard()).scalars().getOrDefault("d/loss", List.of()).stream()
                    .anyMatch(each -> each.step() > saved);
        } catch (java.nio.BufferUnderflowException e) {
            return false; // it is written just now
        }
    }

    @Test
    void aRunThatWasNotWrittenForItIsWrittenAfterwards() throws IOException {
        ran("run", "points.yaml", "--out", "a", "--quiet");
        assertThat(run("a").tensorBoard()).doesNotExist();
        ran("tensorboard", "a");
        Board board = board("a");
        assertHasItsFigures(board, run("a"));
        assertHasItsPictures(board, run("a"), 120, 240, 360, 480);
        assertHasItsParameters(board, run("a"));
        assertThat(Ran.hocket(here, "tensorboard", "a").outLines())
                .containsExactly(run("a").tensorBoard() + " is there already");
        assertThat(board("a").marks()).hasSize(1);
    }

    @Test
    void aRunThatBeginsWithItWhenItGoesOnHasWhatItReportedBefore() throws IOException {
        ran("run", "points.yaml", "--out", "a", "--quiet", "--set", "rounds=120");
        ran("run", "a", "--resume", "--quiet", "--tensorboard", "--set", "rounds=240");
        Board board = board("a");
        assertThat(board.marks()).hasSize(1);
        assertHasItsFigures(board, run("a"));
        assertHasItsPictures(board, run("a"), 120, 240, 360, 480);
        assertHasItsParameters(board, run("a"));
    }

    @Test
    void whatIsNoRunIsRefusedAndADiskThatRefusesIsNamed() throws IOException {
        Ran none = Ran.hocket(here, "tensorboard", "none");
        assertThat(none.status()).isEqualTo(2);
        assertThat(none.err())
                .isEqualTo("hocket: " + here.resolve("none") + " is not a run folder: it has no metrics.jsonl\n");
        ran("run", "points.yaml", "--out", "a", "--quiet");
        Files.writeString(run("a").tensorBoard(), "in the way");
        Ran refused = Ran.hocket(here, "tensorboard", "a");
        assertThat(refused.status()).isEqualTo(2);
        assertThat(refused.errLines()).hasSize(1);
        assertThat(refused.err()).contains("tensorboard could not be made: ", "is a file");
        Files.delete(run("a").tensorBoard());
        Files.writeString(run("a").metrics(), "?\n" + Files.readString(run("a").metrics()));
        assertThat(Ran.hocket(here, "tensorboard", "a").err()).contains("metrics.jsonl:1: is not a metric");
        assertThat(run("a").tensorBoard()).as("which would switch it on").doesNotExist();
    }

    @Test
    void aRunThatCannotGoOnWithItGoesOnWithAllThatItReportedOnceItCan() throws IOException {
        ran("run", "points.yaml", "--out", "a", "--quiet", "--set", "rounds=120");
        java.nio.file.Path picture;
        try (var files = Files.list(run("a").samples())) {
            picture = files.filter(file -> !file.endsWith("latest.png"))
                    .findFirst()
                    .orElseThrow();
        }
        byte[] drawn = Files.readAllBytes(picture);
        Files.delete(picture);
        Files.createDirectory(picture);
        Files.createDirectory(run("a").tensorBoard());
        Ran refused = Ran.hocket(here, "run", "a", "--resume", "--quiet", "--set", "rounds=240");
        assertThat(refused.status()).isNotZero();
        assertThat(refused.err()).contains(run("a") + " cannot be read: ").doesNotContain("Exception");
        assertThat(run("a").tensorBoard()).isEmptyDirectory();
        Files.delete(picture);
        Files.write(picture, drawn);
        ran("run", "a", "--resume", "--quiet", "--set", "rounds=240");
        assertHasItsFigures(board("a"), run("a"));
        assertThat(board("a").marks()).hasSize(1);
    }

    @Test
    void figuresBeyondTheFormatAndBeyondNumbersArePassedOn() throws IOException {
        RunFolder run = run("own");
        InstantSource clock = InstantSource.fixed(Instant.ofEpochMilli(1_500_000_000_250L));
        run.create();
        try (TensorBoard board = TensorBoard.begin(run, clock);
                FolderRecorder recorder = new FolderRecorder(run, clock)) {
            recorder.heardBy(board);
            for (double value : new double[] {0.1, Double.NaN, Double.NEGATIVE_INFINITY, 1e300, 0}) {
                recorder.scalar(new Event.Position(1L << 40, 1, 0), "d", "loss", value);
            }
        }
        assertThat(EventReader.of(EventReader.read(run.tensorBoard()).scalars(), "d/loss"))
                .extracting(Scalar::value)
                .containsExactly(0.1f, Float.NaN, Float.NEGATIVE_INFINITY, Float.POSITIVE_INFINITY, 0f);
        assertThat(EventReader.of(EventReader.read(run.tensorBoard()).scalars(), "d/loss"))
                .allMatch(each -> each.step() == 1L << 40 && each.time() == 1_500_000_000.25);
    }

    @Test
    void filesAreReadInTheOrderOfTheirMakingAlsoWhereTheClockWasSetBack() throws IOException {
        java.nio.file.Path folder = here.resolve("board");
        for (double time : new double[] {2e9, 1.5e9, 2e9, 2.1e9}) {
            new EventFile(folder, time, 7).close();
        }
        try (var files = Files.list(folder)) {
            assertThat(files.map(file -> String.valueOf(file.getFileName())).sorted())
                    .containsExactly(
                            "events.out.tfevents.2000000000.hocket.0001",
                            "events.out.tfevents.2000000000.hocket.0002",
                            "events.out.tfevents.2000000000.hocket.0003",
                            "events.out.tfevents.2100000000.hocket.0004");
        }
    }

    @Test
    void whatIsNotFiniteIsLeftOutOfHistograms() throws IOException {
        TreeMap<Path, Tensor> tensors = new TreeMap<>();
        tensors.put(Path.of("a/some"), Tensor.of(Shape.of(5), Float.NaN, -1f, 3f, Float.POSITIVE_INFINITY, 1f));
        tensors.put(Path.of("a/none"), Tensor.of(Shape.of(1), Float.NaN));
        tensors.put(Path.of("a/one"), Tensor.of(Shape.of(3), 2f, 2f, 2f));
        tensors.put(Path.of("a/whole"), Tensor.of(Shape.of(1), 1L));
        try (EventFile file = new EventFile(here.resolve("board"), 1, 0)) {
            Events.histograms(1, 5, new Snapshot(tensors)).forEach(file::add);
        }
        SortedMap<String, List<Histogram>> read =
                EventReader.read(here.resolve("board")).histograms();
        assertThat(read.keySet()).containsExactly("a/none", "a/one", "a/some");
        Histogram some = EventReader.of(read, "a/some").get(0);
        assertThat(new double[] {some.min(), some.max(), some.num(), some.sum()})
                .containsExactly(-1, 3, 3, 3);
        assertThat(some.buckets()).hasSize(40).startsWith(1, 0).endsWith(0, 1);
        assertThat(some.limits()[39]).isCloseTo(3, within(1e-12));
        assertThat(EventReader.of(read, "a/one").get(0).buckets()[0]).isEqualTo(3);
        assertThat(EventReader.of(read, "a/none").get(0).num()).isZero();
    }
}
