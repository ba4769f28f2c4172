package hocket.workbench.training.reports;

import hocket.schedulers.Event;
import hocket.schedulers.Ring;
import hocket.schedulers.Run;
import hocket.schedulers.Setup;
import hocket.schedulers.rings.Samples;
import hocket.schedulers.state.State;
import hocket.schedulers.state.Stateful;
import hocket.workbench.runs.FolderRecorder;
import java.util.Locale;
import java.util.Optional;

/**
 * Keeps the samples of a run as pictures: those that are images, and points in the plane. They are named after their
 * epoch, and later ones of the same epoch after their round as well.
 */
public final class Pictures implements Ring, Stateful {
    private final Setup setup;
    private final FolderRecorder recorder;
    private final Optional<Samples> samples;
    private boolean any;

    /** The name of the last picture's place, and the round of the first one there; empty before the first. */
    private String place = "";

    private long round;

    /**
     * @param setup the experiment whose samples are drawn
     * @param recorder stores them
     * @throws IllegalArgumentException if they cannot be drawn
     */
    public Pictures(Setup setup, FolderRecorder recorder) {
        this.setup = setup;
        this.recorder = recorder;
        this.samples = Samples.of(setup);
    }

    @Override
    public void sampled(Run run, Event.Sampled sampled) {
        if (samples.isEmpty()) {
            return;
        }
        String name = name(sampled.at());
        if (samples.get().areImages()) {
            recorder.images(sampled.at(), name, sampled.samples());
            any = true;
        } else if (samples.get().arePoints()) {
            recorder.picture(
                    sampled.at(),
                    name,
                    file -> new PointsPicture(setup, samples.get())
                            .write(file, run.session(), name.replaceAll("-0*(?=\\d)", " ")));
            any = true;
        }
    }

    private String name(Event.Position at) {
        String now = name(setup, at);
        if (!now.equals(place)) {
            place = now;
            round = at.round();
        }
        return at.round() == round ? now : now + String.format(Locale.ROOT, "-round-%06d", at.round());
    }

    @Override
    public State save() {
        return State.empty().with("place", place).with("round", round);
    }

    @Override
    public void restore(State state) {
        place = state.text("place");
        round = state.whole("round");
    }

    /** Returns whether there are any. */
    boolean any() {
        return any;
    }

    /** Returns the name of a place of a run. */
    static String name(Setup setup, Event.Position at) {
        return setup.feeds().isEmpty()
                ? String.format(Locale.ROOT, "round-%06d", at.round())
                : String.format(Locale.ROOT, "epoch-%04d", (long) Math.floor(at.epoch() + 1e-9));
    }
}
