package hocket.workbench.runs;

import hocket.gan.data.ImageGrid;
import hocket.schedulers.Event;
import hocket.schedulers.Recorder;
import hocket.schedulers.checkpoint.AtomicFile;
import hocket.schedulers.checkpoint.FileWork;
import hocket.scopes.Tensor;
import hocket.workbench.files.UserError;
import hocket.workbench.files.json.JsonLines;
import hocket.workbench.runs.json.MetricLines;
import hocket.workbench.terminal.Terminal;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes a run folder: metrics.jsonl, samples as PNG, and log.txt, in which control characters are escaped. Metrics
 * reach the disk at a flush.
 */
public final class FolderRecorder implements Recorder, AutoCloseable {
    private final RunFolder folder;
    private final InstantSource clock;
    private final AppendOnlyFile metrics;
    private final AppendOnlyFile log;
    private final @Nullable RunLock lock;
    private @Nullable Consumer<String> told;
    private boolean isHoldingBack;
    private final List<RunListener> runListeners = new ArrayList<>();
    private final MetricLines.Drawn drawn = new MetricLines.Drawn();

    /**
     * Opens the folder to append.
     *
     * @throws UncheckedIOException if writing fails, now or later
     */
    public FolderRecorder(RunFolder folder, InstantSource clock) {
        this(folder, clock, null);
    }

    private FolderRecorder(RunFolder folder, InstantSource clock, @Nullable RunLock lock) {
        this.lock = lock;
        this.folder = folder;
        this.clock = clock;
        metrics = new AppendOnlyFile(folder.metrics());
        log = new AppendOnlyFile(folder.log());
    }

    /**
     * Buffers data that the disk rejects until it is accepted; what remains at the end fails then.
     *
     * @param person receives a message when that begins
     */
    public void holdBack(Consumer<String> person) {
        told = person;
    }

    /** Adds a listener for what is written from now on. */
    public void heardBy(RunListener runListener) {
        runListeners.add(runListener);
    }

    /**
     * Opens a folder, created if missing, to append to what is there. No other process may write to it until it is
     * closed.
     *
     * @throws UserError if it cannot be created, belongs to a run, or is being written
     * @throws UncheckedIOException if writing fails, now or later
     */
    public static FolderRecorder into(Path folder) {
        RunFolder run = new RunFolder(folder);
        run.create();
        RunLock lock = run.resume();
        try {
            if (Files.exists(run.experiment())) {
                throw new UserError(folder + " is the folder of another run: choose another one");
            }
            JsonLines.dropBeyond(run.metrics(), Long.MAX_VALUE - 1); // part of a line of a killed process
            return new FolderRecorder(run, InstantSource.system(), lock);
        } catch (RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    @Override
    public void scalar(Event.Position at, String turn, String name, double value) {
        write(at, turn, name, value, "");
    }

    @Override
    public void setting(Event.Position at, String turn, String name, double value) {
        write(at, turn, name, value, MetricLines.SETTING);
    }

    @Override
    public void interim(Event.Position at, String turn, String name, double value) {
        write(at, turn, name, value, MetricLines.INTERIM);
    }

    /** @param kind the kind of a number that is not just a mean between two points */
    private void write(Event.Position at, String turn, String name, double value, String kind) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("step", at.step());
        line.put("round", at.round());
        line.put("epoch", at.epoch());
        line.put("turn", turn);
        line.put("name", name);
        line.put("value", value);
        if (!kind.isEmpty()) {
            line.put(kind, true);
        }
        line.put("time", clock.millis() / 1000.0);
        if (metrics.add(bytes(JsonLines.line(line)))) {
            flush();
        }
        String series = turn + "/" + name;
        if (drawn.draws(at.step(), series, kind.equals(MetricLines.INTERIM))) {
            runListeners.forEach(runListener -> runListener.figure(at, series, value));
        }
    }

    @Override
    public void images(Event.Position at, String name, Tensor images) {
        picture(at, name, file -> grid(file, images));
    }

    /** Draws images as PNG, eight in a row. */
    public static void grid(Path file, Tensor images) {
        ImageGrid grid = new ImageGrid(8, 3, Math.max(1, 56 / images.shape().get(2)));
        grid.write(
                file,
                images.floats(),
                images.shape().get(1),
                images.shape().get(2),
                images.shape().get(3));
    }

    /** Stores a picture of samples, which becomes the latest. */
    public void picture(Event.Position at, String name, Consumer<Path> drawing) {
        Path file = folder.samples().resolve(name + ".png");
        FileWork.run(folder.samples() + " could not be made", () -> Files.createDirectories(folder.samples()));
        drawing.accept(file);
        Path latest = folder.samples().resolve("latest.png");
        FileWork.run(latest + " could not be written", () -> AtomicFile.write(latest, Files.readAllBytes(file)));
        runListeners.forEach(runListener -> runListener.picture(at, name));
    }

    @Override
    public void text(Event.Position at, String name, String text) {
        String time = clock.instant().truncatedTo(ChronoUnit.MILLIS).toString();
        String line = time + "  turn " + at.step() + "  " + name + "  " + Terminal.spelledOut(text);
        log.add(bytes(line));
        flush();
        runListeners.forEach(runListener -> runListener.line(line));
    }

    private static byte[] bytes(String line) {
        return (line + "\n").getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void flush() {
        try {
            metrics.flush();
            log.flush();
            runListeners.forEach(RunListener::flush);
            isHoldingBack = false;
        } catch (UncheckedIOException e) {
            if (told == null) {
                throw e;
            } else if (!isHoldingBack) {
                isHoldingBack = true;
                told.accept(e.getMessage() + "; metrics are buffered until writing succeeds");
            }
        }
    }

    /** Flushes the metrics: a resumed run needs nothing else. */
    @Override
    public void force() {
        metrics.force();
    }

    @Override
    public void close() {
        told = null;
        FileWork.run(folder + " could not be written", () -> {
            try (lock;
                    metrics;
                    log) {
                flush();
                force();
            }
        });
    }
}
