package hocket.workbench.training.reports;

import hocket.schedulers.Run;
import hocket.schedulers.Setup;
import hocket.schedulers.rings.Samples;
import hocket.workbench.runs.FolderRecorder;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A preview of a run's current samples as a picture: images, or points in the plane. Previews do not affect training:
 * its bits are the same without them.
 */
public final class Preview {
    private static final int IMAGES = 64;

    private final Setup setup;
    private final Samples samples;

    private Preview(Setup setup, Samples samples) {
        this.setup = setup;
        this.samples = samples;
    }

    /** Returns the preview; empty if no sample can be drawn. */
    public static Optional<Preview> at(Setup setup) {
        return Samples.of(setup)
                .filter(samples -> samples.areImages() || samples.arePoints())
                .map(samples -> new Preview(setup, samples));
    }

    /**
     * Draws the samples as PNG, on the training thread, between turns.
     *
     * @param title of points
     * @throws java.io.UncheckedIOException if writing fails
     */
    public void write(Run run, Path file, String title) {
        if (samples.areImages()) {
            FolderRecorder.grid(file, samples.few(run.session(), IMAGES));
        } else {
            points(run, file, title);
        }
    }

    private void points(Run run, Path file, String title) {
        new PointsPicture(setup, samples).write(file, run.session(), title);
    }
}
