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
 * Writes what a run keeps for TensorBoard, too, as it comes: figures and pictures as a witness, and as a ring the histograms of
 * parameters with every checkpoint. They go into a new file of {@code RUN/tensorboard} for every time that the run begins or goes
 * on; what earlier ones have beyond the place where it goes on is taken back by it. A folder that has none yet gets what
 * the run reported before.
 */
public final class TensorBoard implements RunListener, Ring, AutoCloseable {
    private static final long FLUSH_SECONDS = 1;

    private final RunFolder run;
    private final InstantSource clock;
    private final EventFile file;

    /** Counts values while training goes on, and flushes, so that who watches need not wait for figures. */
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
     * Of a run that begins, or begins anew.
     *
     * @throws UncheckedIOException if the disk refuses, now or later
     */
    public static TensorBoard begin(RunFolder run, InstantSource clock) {
        return new TensorBoard(run, clock, new EventFile(run.tensorBoard(), seconds(clock), 0));
    }

    /**
     * Of a run that goes on.
     *
     * @param at where
     * @param told hears what cannot be read of what it reported before
     * @throws IllegalArgumentException if it was not written before, and metrics.jsonl is damaged; nothing is left then
     * @throws UncheckedIOException if the disk refuses, now, likewise, or later
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

    /** Returns whether a run's folder says that it is written for TensorBoard. */
    public static boolean isWanted(RunFolder run) {
        return Files.isDirectory(run.tensorBoard());
    }

    /**
     * Writes what a run has reported so far, unless it was written already.
     *
     * @param told hears what cannot be read
     * @return the file; empty if there are some
     * @throws IllegalArgumentException if metrics.jsonl is damaged; nothing is left then
     * @throws UncheckedIOException if the disk refuses, likewise
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
        counted.join(); // there is never more than one copy of the parameters
        Snapshot parameters = of.parameters().snapshot();
        double time = seconds(clock);
        counted = CompletableFuture.runAsync(
                () -> Events.histograms(time, step, parameters).forEach(file::add), thread);
    }

    private void flushUnlessRefused() {
        try {
            file.flush();
        } catch (UncheckedIOException e) {
            // the run hears of it when it flushes itself
        }
    }

    @Override
    public void flush() {
        file.flush();
    }

    /** Writes what is left. Throws as {@link #flush}. */
    @Override
    public void close() {
        try (file) {
            counted.join();
        } finally {
            thread.shutdown();
        }
    }
}
