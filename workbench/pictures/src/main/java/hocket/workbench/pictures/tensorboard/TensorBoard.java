package hocket.workbench.pictures.tensorboard;

import hocket.schedulers.Event;
import hocket.schedulers.Ring;
import hocket.schedulers.Run;
import hocket.schedulers.checkpoint.FileWork;
import hocket.scopes.Snapshot;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.RunListener;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Writes events for TensorBoard during a run: metrics and images as a recorder's listener, and histograms of parameters
 * at every checkpoint as a ring. Each start and resume creates a new file in {@code RUN/tensorboard}, which drops later
 * events of earlier files. The first file of a resumed run begins with the run's history.
 */
public final class TensorBoard implements RunListener, Ring, AutoCloseable {
    private static final long FLUSH_SECONDS = 1;

    private final RunFolder run;
    private final InstantSource clock;
    private final EventFile file;

    /** Computes histograms during training and flushes, so that metrics appear without delay. */
    private final ScheduledExecutorService thread;

    private CompletableFuture<?> counted = CompletableFuture.completedFuture(null);
    private OptionalLong last = OptionalLong.empty();

    private TensorBoard(RunFolder run, InstantSource clock, EventFile file) {
        this.run = run;
        this.clock = clock;
        this.file = file;
        thread = Executors.newSingleThreadScheduledExecutor(work -> {
            Thread daemon = new Thread(work, "hocket-tensorboard");
            daemon.setDaemon(true);
            return daemon;
        });
        thread.scheduleWithFixedDelay(this::flushUnlessRefused, FLUSH_SECONDS, FLUSH_SECONDS, TimeUnit.SECONDS);
    }

    /**
     * Creates the writer of a run that starts or restarts.
     *
     * @throws UncheckedIOException if writing fails, now or later
     */
    public static TensorBoard begin(RunFolder run, InstantSource clock) {
        return new TensorBoard(run, clock, new EventFile(run.tensorBoard(), seconds(clock), 0));
    }

    /**
     * Creates the writer of a run that resumes.
     *
     * @param at the turn
     * @param told receives messages on unreadable parts of the history
     * @throws IllegalArgumentException if the run was not exported before and metrics.jsonl is damaged; no file remains
     *     then
     * @throws UncheckedIOException if writing fails, now or later; if now, no file remains
     */
    public static TensorBoard resume(RunFolder run, Event.Position at, InstantSource clock, Consumer<String> told) {
        EventFile file = new EventFile(run.tensorBoard(), seconds(clock), at.step() + 1);
        if (file.isFirst()) {
            try {
                new EventExport(run, at, file).write(told);
            } catch (IllegalArgumentException | UncheckedIOException e) {
                file.forget(e);
                throw e;
            }
        }
        return new TensorBoard(run, clock, file);
    }

    /** Returns whether a run's folder has event files. */
    public static boolean isWanted(RunFolder run) {
        return Files.isDirectory(run.tensorBoard());
    }

    /**
     * Writes a run's history, unless the folder has event files.
     *
     * @param told receives messages on unreadable files
     * @return the file; empty if the folder has some
     * @throws IllegalArgumentException if metrics.jsonl is damaged; no file remains then
     * @throws UncheckedIOException if writing fails; no file remains then
     */
    public static Optional<Path> write(RunFolder run, InstantSource clock, Consumer<String> told) {
        if (EventFile.isIn(run.tensorBoard())) {
            return Optional.empty();
        }
        EventFile file = new EventFile(run.tensorBoard(), seconds(clock), 0);
        try {
            new EventExport(run, null, file).write(told);
            file.close();
            return Optional.of(file.file());
        } catch (IllegalArgumentException | UncheckedIOException e) {
            file.forget(e);
            throw e;
        }
    }

    private static double seconds(InstantSource clock) {
        return clock.millis() / 1000.0;
    }

    @Override
    public void figure(Event.Position at, String series, double value) {
        file.add(Events.scalar(seconds(clock), at.step(), series, value));
    }

    @Override
    public void picture(Event.Position at, String name) {
        Path drawn = run.samples().resolve(name + ".png");
        FileWork.run(
                drawn + " could not be read",
                () -> Png.of(Files.readAllBytes(drawn))
                        .ifPresent(picture -> file.add(Events.image(seconds(clock), at.step(), name, picture))));
    }

    @Override
    public void line(String line) {}

    @Override
    public void saving(Run of, Event.Saving event) {
        long step = event.at().step();
        if (last.isPresent() && last.getAsLong() == step) {
            return;
        }
        last = OptionalLong.of(step);
        counted.join(); // at most one copy of the parameters exists
        Snapshot parameters = of.parameters().snapshot();
        double time = seconds(clock);
        counted = CompletableFuture.runAsync(
                () -> Events.histograms(time, step, parameters).forEach(file::add), thread);
    }

    private void flushUnlessRefused() {
        try {
            file.flush();
        } catch (UncheckedIOException e) {
            // the run's own next flush throws it
        }
    }

    @Override
    public void flush() {
        file.flush();
    }

    /** Writes the remaining events. Throws as {@link #flush}. */
    @Override
    public void close() {
        try (file) {
            counted.join();
        } finally {
            thread.shutdown();
        }
    }
}
