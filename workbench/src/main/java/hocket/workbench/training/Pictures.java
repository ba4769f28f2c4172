package hocket.workbench.training;

import hocket.schedulers.Event;
import hocket.schedulers.Ring;
import hocket.schedulers.Run;
import hocket.schedulers.Setup;
import hocket.schedulers.rings.Samples;
import hocket.workbench.runs.FolderRecorder;
import java.util.Locale;
import java.util.Optional;

/** Keeps the samples of a run as pictures: those that are images, and points in the plane. */
final class Pictures implements Ring {
    private final Setup setup;
    private final FolderRecorder recorder;
    private final Optional<Samples> samples;
    private boolean any;

    /**
     * @param setup whose samples
     * @param recorder keeps them
     * @throws IllegalArgumentException if they cannot be drawn
     */
    Pictures(Setup setup, FolderRecorder recorder) {
        this.setup = setup;
        this.recorder = recorder;
        this.samples = setup.samples().map(Samples::new);
    }

    @Override
    public void heard(Run run, Event event) {
        if (!(event instanceof Event.Sampled sampled) || samples.isEmpty()) {
            return;
        }
        String name = name(setup, event.at());
        if (samples.get().areImages()) {
            recorder.images(sampled.at(), name, sampled.samples());
            any = true;
        } else if (samples.get().arePoints()) {
            recorder.picture(
                    name,
                    file -> new PointsPicture(setup, samples.get())
                            .write(file, run.parameters(), name.replaceAll("-0*(?=\\d)", " ")));
            any = true;
        }
    }

    /** Whether there are any. */
    boolean any() {
        return any;
    }

    /** What a place of a run is called. */
    static String name(Setup setup, Event.Position at) {
        return setup.feeds().isEmpty()
                ? String.format(Locale.ROOT, "round-%06d", at.round())
                : String.format(Locale.ROOT, "epoch-%04d", (long) Math.floor(at.epoch() + 1e-9));
    }
}
