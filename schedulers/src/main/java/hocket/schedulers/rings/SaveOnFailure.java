package hocket.schedulers.rings;

import hocket.schedulers.Event;
import hocket.schedulers.Next;
import hocket.schedulers.Ring;
import hocket.schedulers.Run;

/**
 * Saves a run that fails at its position, if it has a folder and {@link hocket.schedulers.Scheduler#canGoOn can
 * resume}; the failed turn is then the first that is taken again.
 */
public final class SaveOnFailure implements Ring {
    private long saved = -1;
    private long step;

    @Override
    public int order() {
        return RingOrder.STOPPING;
    }

    @Override
    public void saved(Run run, Event.Saved event) {
        saved = event.at().step();
    }

    @Override
    public void turnTaken(Run run, Event.TurnTaken turn) {
        step = turn.at().step() + 1;
    }

    @Override
    public void run(Run run, Next next) {
        try {
            next.proceed();
        } catch (RuntimeException | Error e) {
            if (step > saved
                    && step > 0
                    && run.scheduler().canGoOn()
                    && run.scheduler().savesTo().isPresent()) {
                Next.after(e, run::save); // the disk may be full, or no memory left
            }
            throw e;
        }
    }
}
