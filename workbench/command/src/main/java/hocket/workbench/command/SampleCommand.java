package hocket.workbench.command;

import hocket.gan.data.ImageGrid;
import hocket.gan.tables.TableEncoding;
import hocket.programs.Program;
import hocket.programs.Session;
import hocket.schedulers.Setup;
import hocket.schedulers.Source;
import hocket.schedulers.checkpoint.AtomicFile;
import hocket.schedulers.formats.Npy;
import hocket.schedulers.rings.Samples;
import hocket.scopes.Shape;
import hocket.workbench.files.UserError;
import hocket.workbench.runs.CheckpointedRun;
import hocket.workbench.runs.CommandContext;
import hocket.workbench.runs.CommandFailure;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.SelectedExperiment;
import hocket.workbench.terminal.NumberFormats;
import hocket.workbench.terminal.Spinner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Samples from a run's generator. */
@Command(
        name = "sample",
        header = "Samples from the generator of a run.",
        description = {
            "",
            "Samples the newest checkpoint. The same run, count and seed give the same samples. A .npy file has them"
                    + " as float32 (count, channels, height, width) in -1..1, a .png file as one image. A .csv file has the rows of"
                    + " a generator of tables, with the header and the categories of its data.",
            ""
        },
        footer = {
            "",
            "For example:",
            "  hocket sample runs/digits-gan --count 100 --out samples.png",
            "  hocket sample runs/digits-gan --count 1797 --out samples.npy",
            "  hocket sample runs/digits-conditional --label 3 --out threes.png",
            "  hocket sample runs/penguins --count 333 --out penguins.csv"
        })
public final class SampleCommand extends WorkplaceCommand implements Runnable {
    private static final int LARGEST_PICTURE = 1 << 25;
    private static final int WIDE = 800;

    @Parameters(paramLabel = "RUN", description = "a run folder, such as runs/digits-gan")
    private String run = "";

    @Option(names = "--count", paramLabel = "N", defaultValue = "64", description = "number of samples; default: 64")
    private int count;

    @Option(names = "--label", paramLabel = "L", description = "samples of this class, if the generator is conditional")
    private @Nullable Integer label;

    @Option(names = "--seed", paramLabel = "S", description = "seed of the noise; default: the run's own")
    private @Nullable Long seed;

    @Option(names = "--best", description = "sample the best checkpoint, if the run keeps one")
    private boolean best;

    @Option(names = "--out", paramLabel = "FILE", description = "a file that ends in .npy, .png or .csv")
    private String out = "";

    @Override
    public void run() {
        Path file = workplace.path(out);
        check(file);
        CheckpointedRun saved =
                CheckpointedRun.open(new RunFolder(workplace.path(run)), best).telling(workplace.terminal());
        SelectedExperiment selectedExperiment = saved.selected(workplace);
        Setup setup = selectedExperiment.setup();
        Program program = setup.samples()
                .orElseThrow(() -> new UserError("experiment " + selectedExperiment.name()
                        + " has no program to sample from"
                        + (setup.film().isPresent()
                                ? "; an agent is filmed: " + CommandContext.command("record", run, "--out", "agent.gif")
                                : "")));
        if (out.isEmpty()) {
            throw new UserError("--out: must name a file that ends in .npy, .png or .csv");
        }
        Samples samples = UserError.unless(() -> new Samples(
                        program, label == null ? OptionalInt.empty() : OptionalInt.of(label), Samples.sources(setup))
                .open());
        if (isPicture() && !samples.areImages()) {
            throw new UserError("samples of " + selectedExperiment.name() + " have shape " + samples.shape()
                    + ", which is not an image: write a .npy file");
        }
        Optional<TableEncoding> table = isTable() ? Optional.of(table(setup, samples)) : Optional.empty();
        requireRoom(file, samples);
        try (hocket.scopes.Parameters parameters =
                        saved.parameters(setup, seed == null ? selectedExperiment.seed() : seed);
                Session session =
                        Session.over(parameters, selectedExperiment.file().threads());
                Spinner spinner = new Spinner(workplace.terminal(), "drawing", false)) {
            if (isPicture()) {
                picture(file, samples, drawn(samples, session, spinner));
            } else if (table.isPresent()) {
                float[] rows = drawn(samples, session, spinner);
                String text = UserError.unless(() -> table.get().csv(rows));
                UserError.unlessMade(file + " could not be written", () -> AtomicFile.write(file, text));
            } else {
                array(file, samples, session, spinner);
            }
        }
        workplace
                .terminal()
                .remark("wrote " + NumberFormats.grouped(count) + (count == 1 ? " sample" : " samples") + " "
                        + samples.shape() + " to " + file);
    }

    private boolean isPicture() {
        return out.endsWith(".png");
    }

    private boolean isTable() {
        return out.endsWith(".csv");
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
        if (count < 1) {
            throw new UserError("--count must be at least 1, was " + count);
        }
        if (!out.isEmpty() && !isPicture() && !isTable() && !out.endsWith(".npy")) {
            throw new UserError("--out must end in .npy, .png or .csv, was " + out);
        }
        Path folder = file.toAbsolutePath().getParent();
        if (!out.isEmpty() && (folder == null || !Files.isDirectory(folder))) {
            throw new UserError("--out " + out + ": there is no folder " + folder);
        }
    }

    /** Checked before anything is computed. */
    private void requireRoom(Path file, Samples samples) {
        UserError.unless(() -> {
            if (isPicture()) {
                grid(samples)
                        .requireFits(
                                count, samples.shape().get(1), samples.shape().get(2));
            }
            if (isPicture() || isTable()) {
                samples.requireRoom(count);
            }
            return file;
        });
        long bytes = (long) count * samples.shape().size() * Float.BYTES;
        boolean toDisk = !isPicture() && (Files.isRegularFile(file) || !Files.exists(file));
        long free = toDisk ? usable(file) : Long.MAX_VALUE;
        if (bytes > free) {
            throw new UserError("--count " + count + ": that many samples of " + samples.shape() + " need "
                    + NumberFormats.bytes(bytes) + ", and the disk of " + file + " has " + NumberFormats.bytes(free)
                    + " left");
        }
    }

    /** Returns the free bytes on the disk of a file that may not exist yet. */
    private static long usable(Path file) {
        try {
            return Files.getFileStore(
                            Objects.requireNonNull(file.toAbsolutePath().getParent()))
                    .getUsableSpace();
        } catch (IOException e) {
            return Long.MAX_VALUE; // writing will say why
        }
    }

    private float[] drawn(Samples samples, Session session, Spinner spinner) {
        float[] all = new float[count * samples.shape().size()];
        int[] at = {0};
        draw(samples, session, spinner, some -> {
            System.arraycopy(some, 0, all, at[0], some.length);
            at[0] += some.length;
        });
        return all;
    }

    private void array(Path file, Samples samples, Session session, Spinner spinner) {
        int[] row = samples.shape().extents();
        UserError.unless(() -> Npy.write(file, count, row, rows -> draw(samples, session, spinner, rows)));
    }

    private void draw(Samples samples, Session session, Spinner spinner, Consumer<float[]> rows) {
        double all = (double) count * samples.shape().size();
        long[] taken = {0};
        CommandFailure.unless(() -> {
            samples.draw(session, count, some -> {
                rows.accept(some);
                taken[0] += some.length;
                spinner.done(taken[0] / all);
            });
            return count;
        });
    }

    private ImageGrid grid(Samples samples) {
        int height = samples.shape().get(1);
        int width = samples.shape().get(2);
        int columns = (int) Math.ceil(Math.sqrt(count));
        int scale = Math.max(1, Math.min(56 / height, WIDE / (columns * width)));
        while (scale > 1 && (long) count * height * width * scale * scale > LARGEST_PICTURE) {
            scale--;
        }
        return new ImageGrid(columns, Math.min(3, scale), scale);
    }

    private void picture(Path file, Samples samples, float[] drawn) {
        Shape shape = samples.shape();
        UserError.unless(() -> {
            grid(samples).write(file, drawn, shape.get(0), shape.get(1), shape.get(2));
            return file;
        });
    }
}
