package hocket.schedulers.rings;

import hocket.schedulers.Event;
import hocket.schedulers.Next;
import hocket.schedulers.Recorder;
import hocket.schedulers.Ring;
import hocket.schedulers.Run;
import hocket.schedulers.Trigger;
import hocket.schedulers.state.State;
import hocket.schedulers.state.Stateful;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends the metrics of a run to a recorder: turns' metrics as means over rounds ({@link RecordedRounds}), and
 * validations and scores as they occur. Unrecorded values are saved with every checkpoint, so that a resumed run
 * records the same as an uninterrupted one. They are recorded at the end, also after a failure, unless the run was
 * saved there and its continuation records them.
 */
public final class Recording implements Ring, Stateful {
    private final Recorder recorder;
    private final MetricMeans means;
    private Event.@Nullable Position saved;
    private boolean complete;

    /**
     * Records points at the default interval, without interim points.
     *
     * @param recorder receives the metrics; its owner closes it
     */
    public Recording(Recorder recorder) {
        this(recorder, new RecordedRounds(RecordedRounds.USUAL.every(), 0), () -> 0);
    }

    /**
     * Records points at an interval.
     *
     * @param recorder receives the metrics; its owner closes it
     * @param nanos a clock that never goes back, such as {@link System#nanoTime}
     */
    public Recording(Recorder recorder, RecordedRounds often, LongSupplier nanos) {
        this.recorder = recorder;
        this.means = new MetricMeans(recorder, often, nanos);
    }

    @Override
    public int order() {
        return RingOrder.RECORDING;
    }

    @Override
    public void heard(Run run, Event event) {
        event.tell(run, means);
        event.tell(run, this);
    }

    @Override
    public void validated(Run run, Event.Validated validated) {
        recorder.scalar(validated.at(), "validation", validated.metric(), validated.mean());
    }

    @Override
    public void scored(Run run, Event.Scored scored) {
        scored.scores().forEach((name, value) -> recorder.scalar(scored.at(), "evaluation", name, value));
    }

    @Override
    public void saving(Run run, Event.Saving event) {
        recorder.flush();
    }

    @Override
    public void saved(Run run, Event.Saved event) {
        saved = event.at();
    }

    @Override
    public void started(Run run, Event.Started event) {
        complete = false;
    }

    @Override
    public Optional<Trigger> trigger() {
        return Optional.of(Trigger.atEnd());
    }

    @Override
    public void due(Run run) {
        complete = true;
    }

    @Override
    public void run(Run run, Next next) {
        saved = null;
        complete = false;
        try {
            next.proceed();
        } catch (Throwable e) {
            try {
                end(run);
            } catch (RuntimeException second) {
                e.addSuppressed(second); // the same full disk, most likely
            }
            throw e;
        }
        end(run);
    }

    @Override
    public State save() {
        return means.save();
    }

    @Override
    public void restore(State state) {
        means.restore(state);
    }

    private void end(Run run) {
        if (complete || !run.position().equals(saved)) {
            means.record(run.position());
        }
        recorder.flush();
    }
}
