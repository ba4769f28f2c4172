package hocket.workbench.command;

import hocket.gan.tables.TableEncoding;
import hocket.programs.Program;
import hocket.programs.Session;
import hocket.schedulers.Setup;
import hocket.schedulers.Source;
import hocket.schedulers.checkpoint.AtomicFile;
import hocket.schedulers.formats.Npy;
import hocket.schedulers.rings.Interpolation;
import hocket.schedulers.rings.Samples;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import hocket.workbench.command.options.CheckpointOptions;
import hocket.workbench.command.samples.LatentWalk;
import hocket.workbench.command.samples.SampleFolder;
import hocket.workbench.command.samples.SampleStrips;
import hocket.workbench.command.samples.StripFile;
import hocket.workbench.command.samples.TrainingRows;
import hocket.workbench.files.UserError;
import hocket.workbench.runs.CheckpointedRun;
import hocket.workbench.runs.CommandContext;
import hocket.workbench.runs.CommandFailure;
import hocket.workbench.runs.SelectedExperiment;
import hocket.workbench.terminal.NumberFormats;
import hocket.workbench.terminal.Spinner;
import hocket.workbench.training.reports.PointsPicture;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Samples from a run's generator. */
@Command(
        name = "sample",
        header = "Samples from the generator of a run.",
        description = {
            "",
            "The same run, checkpoint, count and seed give the same samples. A .npy file has them"
                    + " as float32 (count, channels, height, width), -1 for black and 1 for white, a .png file as one image,"
                    + " and a name that ends in / is a folder with a PNG file for each, as torch-fidelity reads. A .csv file has the rows of"
                    + " a generator of tables, with the header and the categories of its data. A .png file of points of the"
                    + " plane has real points, too, over the discriminator's output at each place.",
            "",
            "With --neighbours, each sample is beside the training rows that are nearest to it by the Euclidean distance of"
                    + " their pixels: samples that equal their neighbours are memorised. A .npy file is (count, 1 + K,"
                    + " channels, height, width).",
            "",
            "With --interpolate, each row of a picture goes in N steps from one draw of the noise to another: normal noise"
                    + " along a great circle, other noise along a line, with one label. A .npy file is (count, N, channels,"
                    + " height, width). A .gif file is a film that goes through --count draws and back to the first.",
            ""
        },
        footer = {
            "",
            "For example:",
            "  hocket sample runs/digits-gan --count 100 --out samples.png",
            "  hocket sample runs/digits-gan --count 1797 --out samples.npy",
            "  hocket sample runs/digits-gan --count 1797 --out samples/",
            "  hocket sample runs/digits-conditional --label 3 --out threes.png",
            "  hocket sample runs/digits-conditional --count 1797 --out samples.npy --labels-out labels.npy",
            "  hocket sample runs/digits-gan --neighbours 5 --out neighbours.png",
            "  hocket sample runs/digits-gan --interpolate 8 --out ways.png",
            "  hocket sample runs/digits-conditional --interpolate 16 --out walk.gif",
            "  hocket sample runs/grid --count 2000 --out modes.png",
            "  hocket sample runs/penguins --count 333 --out penguins.csv"
        })
public final class SampleCommand extends WorkplaceCommand implements Runnable {
    private static final int USUAL_COUNT = 64;
    private static final int USUAL_ROWS = 16;

    @Parameters(paramLabel = "RUN", description = "a run folder, such as runs/digits-gan")
    private String run = "";

    @Option(
            names = "--count",
            paramLabel = "N",
            description =
                    "number of samples; default: 64, with --neighbours or --interpolate 16, as points of a picture"
                            + " 1,000")
    private @Nullable Integer count;

    @Option(names = "--label", paramLabel = "L", description = "samples of this class, if the generator is conditional")
    private @Nullable Integer label;

    @Option(
            names = "--labels-out",
            paramLabel = "FILE",
            description = "also write the labels of the samples, an .npy file of whole numbers (count), as hocket score"
                    + " --labels reads")
    private @Nullable String labelsOut;

    @Option(
            names = "--neighbours",
            paramLabel = "K",
            description = "show the K training rows that are nearest to each sample")
    private @Nullable Integer neighbours;

    @Option(
            names = "--interpolate",
            paramLabel = "N",
            description = "show N steps from one draw of the noise to another")
    private @Nullable Integer steps;

    @Option(names = "--seed", paramLabel = "S", description = "seed of the noise; default: the run's own")
    private @Nullable Long seed;

    @Mixin
    private final CheckpointOptions checkpoint = new CheckpointOptions();

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "new path of the data, such as data=DIR, if it was moved")
    private List<String> changes = new ArrayList<>();

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "a file that ends in .npy, .png, .csv or .gif, or a folder that ends in /")
    private String out = "";

    @Override
    public void run() {
        Path file = workplace.path(out);
        check(file);
        CheckpointedRun saved = checkpoint.open(workplace, run);
        SelectedExperiment selectedExperiment = saved.selected(workplace, changes);
        Setup setup = selectedExperiment.setup();
        Program program = setup.samples()
                .orElseThrow(() -> new UserError("experiment " + selectedExperiment.name()
                        + " has no program to sample from"
                        + (setup.film().isPresent()
                                ? "; an agent is filmed: " + CommandContext.command("record", run, "--out", "agent.gif")
                                : "")));
        if (out.isEmpty()) {
            throw new UserError(
                    "--out: must name a file that ends in .npy, .png, .csv or .gif, or a folder that ends in /");
        }
        Samples samples = UserError.unless(() -> new Samples(
                        program, label == null ? OptionalInt.empty() : OptionalInt.of(label), Samples.sources(setup))
                .open());
        if (!samples.areImages()) {
            requireNoImages(selectedExperiment, samples);
        }
        if (labelsOut != null && arePictured(samples)) {
            throw new UserError("--labels-out: a picture of points shows no single samples; write them to a .npy file");
        }
        Optional<Tensor> labels =
                Optional.ofNullable(labelsOut).map(given -> UserError.unless(() -> samples.labels(count())));
        if (isFolder()) {
            folder(file, saved, selectedExperiment, samples);
        } else if (isFilm()) {
            film(file, saved, selectedExperiment, samples);
        } else if (arePictured(samples)) {
            points(file, saved, selectedExperiment, samples);
        } else {
            strips(file, saved, selectedExperiment, samples);
        }
        labels.ifPresent(tensor -> {
            Path labelled = workplace.path(Objects.requireNonNull(labelsOut));
            UserError.unless(() -> {
                Npy.write(labelled, tensor);
                return labelled;
            });
            say("wrote their labels to " + labelled);
        });
    }

    private boolean isPicture() {
        return out.endsWith(".png");
    }

    private boolean isTable() {
        return out.endsWith(".csv");
    }

    private boolean isFilm() {
        return out.endsWith(".gif");
    }

    private boolean isFolder() {
        return out.endsWith("/");
    }

    private int count() {
        return count != null ? count : neighbours == null && steps == null ? USUAL_COUNT : USUAL_ROWS;
    }

    private void requireNoImages(SelectedExperiment experiment, Samples samples) {
        String refused =
                "samples of " + experiment.name() + " have shape " + samples.shape() + ", which is not an image: ";
        if (neighbours != null) {
            throw new UserError(refused + "--neighbours compares pixels");
        }
        if ((isPicture() || isFilm() || isFolder()) && !arePictured(samples)) {
            throw new UserError(refused + "write a .npy file");
        }
    }

    /** Returns whether samples are points of the plane that are drawn in a picture of it. */
    private boolean arePictured(Samples samples) {
        return isPicture() && samples.arePoints() && steps == null;
    }

    private void points(Path file, CheckpointedRun saved, SelectedExperiment experiment, Samples samples) {
        int points = count == null ? PointsPicture.POINTS : count;
        UserError.unless(() -> {
            samples.requireRoom(points);
            return file;
        });
        during(saved, experiment, points, (session, drawn) -> {
            String title = experiment.name() + " after " + NumberFormats.counted(saved.step(), "turn");
            CommandFailure.unless(() -> UserError.unless(() -> {
                new PointsPicture(experiment.setup(), samples).write(file, session, points, title);
                return file;
            }));
        });
        say("wrote " + NumberFormats.grouped(points) + (points == 1 ? " sample " : " samples ") + samples.shape()
                + " to " + file);
    }

    private void folder(Path file, CheckpointedRun saved, SelectedExperiment experiment, Samples samples) {
        SampleFolder target = new SampleFolder(file, count());
        target.requireEmpty();
        double all = (double) count() * samples.shape().size();
        during(saved, experiment, all, (session, drawn) -> target.write(samples, session, drawn));
        say("wrote " + SampleStrips.single(samples).described().apply(count()) + " to " + file);
    }

    private Interpolation interpolation(Samples samples, int number) {
        return UserError.unless(() -> new Interpolation(samples, number));
    }

    private SampleStrips strips(
            CheckpointedRun saved, SelectedExperiment experiment, Samples samples, Consumer<double[]> distances) {
        if (steps != null) {
            return SampleStrips.between(interpolation(samples, steps));
        }
        if (neighbours == null) {
            return SampleStrips.single(samples);
        }
        saved.requireSameData(experiment);
        return TrainingRows.of(experiment, samples).beside(samples, neighbours, distances);
    }

    private void strips(Path file, CheckpointedRun saved, SelectedExperiment experiment, Samples samples) {
        Optional<TableEncoding> table = isTable() ? Optional.of(table(experiment.setup(), samples)) : Optional.empty();
        double[][] distances = new double[1][0];
        SampleStrips strips = strips(saved, experiment, samples, nearest -> distances[0] = nearest);
        StripFile target = new StripFile(file, strips, count());
        if (isPicture()) {
            target.requirePicture();
        } else {
            target.requireDisk();
        }
        if (isPicture() || isTable() || strips.length() > 1) {
            target.requireMemory(samples);
        }
        double all = (double) strips.rows(count()) * samples.shape().size();
        during(saved, experiment, all, (session, drawn) -> {
            if (isPicture()) {
                target.picture(session, drawn);
            } else if (table.isPresent()) {
                float[] rows = target.rows(session, drawn);
                String text = UserError.unless(() -> table.get().csv(rows));
                UserError.unlessMade(file + " could not be written", () -> AtomicFile.write(file, text));
            } else {
                target.array(session, drawn);
            }
        });
        say("wrote " + strips.described().apply(count()) + " to " + file);
        if (distances[0].length > 0) {
            Arrays.sort(distances[0]);
            say("distances to the nearest row are " + part(distances[0], 0) + " to " + part(distances[0], 1)
                    + ", median " + part(distances[0], 0.5));
        }
    }

    private static String part(double[] ascending, double share) {
        return NumberFormats.shortly(ascending[(int) Math.round(share * (ascending.length - 1))]);
    }

    private void film(Path file, CheckpointedRun saved, SelectedExperiment experiment, Samples samples) {
        LatentWalk walk =
                UserError.unless(() -> new LatentWalk(interpolation(samples, Objects.requireNonNull(steps)), count()));
        UserError.unless(() -> {
            walk.requireFits();
            samples.requireRoom(walk.samples());
            return walk;
        });
        during(saved, experiment, (double) walk.samples() * samples.shape().size(), (session, drawn) -> {
            byte[] film = CommandFailure.unless(() -> walk.film(session, drawn));
            UserError.unlessMade(file + " could not be written", () -> AtomicFile.write(file, film));
        });
        say("wrote " + walk.described() + " to " + file);
    }

    /**
     * Opens the checkpoint and shows progress.
     *
     * @param all the numbers that will be drawn
     * @param drawing is given a consumer of drawn numbers, for the progress
     */
    private void during(
            CheckpointedRun saved,
            SelectedExperiment experiment,
            double all,
            BiConsumer<Session, Consumer<float[]>> drawing) {
        try (hocket.scopes.Parameters parameters =
                        saved.parameters(experiment.setup(), seed == null ? experiment.seed() : seed);
                Session session = Session.over(parameters, experiment.file().threads());
                Spinner spinner = new Spinner(workplace.terminal(), "drawing", false)) {
            long[] taken = {0};
            drawing.accept(session, some -> {
                taken[0] += some.length;
                spinner.done(taken[0] / all);
            });
        }
    }

    private void say(String line) {
        workplace.terminal().remark(line);
    }

    /** Returns the encoding of the table that the run learnt from, which was kept with it. */
    private TableEncoding table(Setup setup, Samples samples) {
        List<Source.Column> columns = setup.feeds().stream()
                .flatMap(feed -> feed.source().columns().stream())
                .toList();
        return TableEncoding.of(columns)
                .filter(encoding -> Shape.of(encoding.layout().size()).equals(samples.shape()))
                .orElseThrow(() -> new UserError("--out " + out + ": samples " + samples.shape()
                        + " are not rows of a table: write a .npy file"));
    }

    /** Rejects invalid options. */
    private void check(Path file) {
        if (count() < 1) {
            throw new UserError("--count must be at least 1, was " + count());
        }
        if (neighbours != null && neighbours < 1) {
            throw new UserError("--neighbours must be at least 1, was " + neighbours);
        }
        if (steps != null && steps < 2) {
            throw new UserError("--interpolate must be at least 2, the ends of a way, was " + steps);
        }
        if (neighbours != null && steps != null) {
            throw new UserError("--neighbours and --interpolate cannot be combined");
        }
        if (!out.isEmpty() && !isPicture() && !isTable() && !isFilm() && !isFolder() && !out.endsWith(".npy")) {
            throw new UserError("--out must end in .npy, .png, .csv, .gif or /, was " + out);
        }
        if (labelsOut != null && (neighbours != null || steps != null)) {
            throw new UserError("--labels-out is of single samples: leave out --neighbours and --interpolate");
        }
        if (labelsOut != null) {
            Path labels = workplace.path(labelsOut).toAbsolutePath().normalize();
            if (!labelsOut.endsWith(".npy")
                    || labels.equals(file.toAbsolutePath().normalize())) {
                throw new UserError("--labels-out must be another file than --out and end in .npy, was " + labelsOut);
            }
            requireFolder("--labels-out " + labelsOut, labels);
        }
        if (isFilm() && steps == null) {
            throw new UserError("--out " + out + ": a film shows steps: add --interpolate 16");
        }
        if ((isTable() || isFolder()) && (neighbours != null || steps != null)) {
            throw new UserError("--out must end in .npy or .png with --neighbours and --interpolate, was " + out);
        }
        if (!out.isEmpty()) {
            requireFolder("--out " + out, file.toAbsolutePath());
        }
    }
}
