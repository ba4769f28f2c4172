package hocket.workbench.live.views;

import hocket.schedulers.Event;
import hocket.schedulers.Run;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.SelectedExperiment;
import hocket.workbench.training.reports.Preview;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/**
 * Previews of a run's current samples for those who watch: drawn on the training thread every few seconds, for at most
 * a hundredth of its time, and whenever it pauses. The picture is {@code samples/latest.png} until one is kept.
 * Previews do not affect training; a sample that cannot be drawn is left out.
 */
final class Previews {
    /** The name of the picture. */
    static final String NAME = "latest";

    private static final long LEAST_NANOS = 3_000_000_000L;
    private static final int SHARE = 100;

    private final Path folder;
    private Optional<Preview> preview;
    private long next = System.nanoTime();
    private long step = -1;

    Previews(SelectedExperiment selectedExperiment, RunFolder run) {
        folder = run.samples();
        preview = Preview.at(selectedExperiment.setup());
    }

    /** Notes that a picture was drawn and kept. */
    void kept(Event.Position at) {
        step = at.step();
        next = System.nanoTime() + LEAST_NANOS;
    }

    /**
     * Draws between turns if it is time for a preview.
     *
     * @param now in any case
     * @return whether there is a new picture
     */
    boolean drawn(Run run, boolean now) {
        long began = System.nanoTime();
        long at = run.position().step();
        if (preview.isEmpty() || at == step || !now && began - next < 0) {
            return false;
        }
        try {
            Files.createDirectories(folder);
            preview.get().write(run, folder.resolve(NAME + ".png"), String.format(Locale.ROOT, "step %,d", at));
        } catch (IOException | UncheckedIOException e) { // a full disk, for example, which may have room again
            next = System.nanoTime() + LEAST_NANOS;
            return false;
        } catch (RuntimeException e) {
            preview = Optional.empty();
            return false;
        }
        step = at;
        long ended = System.nanoTime();
        next = ended + Math.max(LEAST_NANOS, SHARE * (ended - began));
        return true;
    }
}
