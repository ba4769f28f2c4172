package hocket.workbench.training.reports;

import hocket.schedulers.Run;
import hocket.schedulers.Setup;
import hocket.schedulers.rings.Samples;
import hocket.workbench.runs.FolderRecorder;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What a run's samples look like just now, as a picture: those that are images, and points in the plane. No bit of training
 * depends on whether anybody looks.
 */
public final class Preview {
    private static final int IMAGES = 64;

    private final Setup setup;
    private final Samples samples;

    private Preview(Setup setup, Samples samples) {
        this.setup = setup;
        this.samples = samples;
    }

    /** Empty where there is nothing that can be seen. */
    public static Optional<Preview> at(Setup setup) {
        return Samples.of(setup)
                .filter(samples -> samples.areImages() || samples.arePoints())
                .map(samples -> new Preview(setup, samples));
    }

    /**
     * Draws it as PNG, on the training thread, between turns.
     *
     * @param title of points
     * @throws java.io.UncheckedIOException if the disk refuses
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
