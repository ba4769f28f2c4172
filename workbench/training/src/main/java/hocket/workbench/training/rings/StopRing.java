package hocket.workbench.training.rings;

import hocket.schedulers.Next;
import hocket.workbench.training.RunContext;
import hocket.workbench.training.RunRing;
import hocket.workbench.training.RunRingOrder;

/** Says at the end of a run that a request to stop loses nothing. */
public final class StopRing implements RunRing {
    @Override
    public RunRingOrder layer() {
        return RunRingOrder.STOP;
    }

    @Override
    public void run(RunContext run, Next next) {
        try {
            next.proceed();
        } finally {
            if (run.hasBegun()) {
                run.stop().atRest("ended immediately, after the run");
            }
        }
    }
}
