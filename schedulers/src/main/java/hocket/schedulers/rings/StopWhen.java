package hocket.schedulers.rings;

import hocket.schedulers.Event;
import hocket.schedulers.Next;
import hocket.schedulers.Ring;
import hocket.schedulers.Run;
import hocket.schedulers.Trigger;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Ends a run on request, such as by a signal, after the current turn, since a round may be long, and saves it if it has
 * a folder. The resumed run gives the same bits. A run that trains nothing is not saved.
 */
public final class StopWhen implements Ring {
    private final BooleanSupplier asked;
    private boolean trains;

    /** @param asked returns whether to stop; another thread may set it */
    public StopWhen(BooleanSupplier asked) {
        this.asked = asked;
    }

    @Override
    public int order() {
        return RingOrder.STOPPING;
    }

    @Override
    public void started(Run run, Event.Started event) {
        trains = true;
    }

    @Override
    public void turnTaken(Run run, Event.TurnTaken turn) {
        trains = true;
        if (asked.getAsBoolean()) {
            run.pause();
        }
    }

    @Override
    public Optional<Trigger> trigger() {
        return Optional.of(Trigger.everyRounds(1));
    }

    @Override
    public void due(Run run) {
        if (asked.getAsBoolean()) {
            run.pause(); // it was asked between the last turn and here
        }
    }

    @Override
    public void run(Run run, Next next) {
        try {
            next.proceed();
        } catch (Throwable e) {
            if (asked.getAsBoolean()) {
                saveDespite(run, e);
            }
            throw e;
        }
        save(run);
    }

    /** Saves the training even if an inner ring failed at the end of a run that was asked to end. */
    private void saveDespite(Run run, Throwable failure) {
        try {
            save(run);
        } catch (RuntimeException second) {
            failure.addSuppressed(second); // a turn was left unfinished, or the disk is full
        }
    }

    private void save(Run run) {
        if (trains
                && asked.getAsBoolean()
                && run.scheduler().savesTo().isPresent()
                && run.isFirst(TriggeredAction.SAVE)) {
            run.save();
        }
    }
}
