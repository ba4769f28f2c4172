package hocket.schedulers.rings;

import hocket.schedulers.Event;
import hocket.schedulers.Rest;
import hocket.schedulers.Ring;
import hocket.schedulers.Run;
import hocket.schedulers.Trigger;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Ends a run when somebody asks, such as by a signal: with the turn that is being taken, for a round may be long, and saves
 * where it stands if the run has a folder. It goes on from there to the same bits.
 */
public final class StopWhen implements Ring {
    private final BooleanSupplier asked;
    private long savedAt = -1;

    /** @param asked whether to stop; may be answered by another thread */
    public StopWhen(BooleanSupplier asked) {
        this.asked = asked;
    }

    @Override
    public int order() {
        return Orders.STOPPING;
    }

    @Override
    public void heard(Run run, Event event) {
        boolean isTurn =
                event instanceof Event.Descended || event instanceof Event.Followed || event instanceof Event.Acted;
        if (isTurn && asked.getAsBoolean()) {
            run.pause();
        } else if (event instanceof Event.Saved) {
            savedAt = event.at().step();
        }
    }

    @Override
    public Optional<Trigger> trigger() {
        return Optional.of(Trigger.everyRounds(1));
    }

    @Override
    public void due(Run run) {
        if (asked.getAsBoolean()) {
            run.stop();
        }
    }

    @Override
    public void run(Run run, Rest rest) {
        rest.go();
        boolean isSaved = savedAt == run.position().step();
        if (asked.getAsBoolean() && !isSaved && run.scheduler().savesTo().isPresent()) {
            run.save();
        }
    }
}
