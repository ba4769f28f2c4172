package hocket.workbench.training.rings;

import hocket.schedulers.Next;
import hocket.workbench.online.OnlineQueues;
import hocket.workbench.training.RunContext;
import hocket.workbench.training.RunRing;
import hocket.workbench.training.RunRingOrder;
import java.util.function.Consumer;

/**
 * Lets Java append rows to the run's queues, if there are any, before the first turn.
 *
 * @param feeding is called by the training thread; the queues are closed at the end of the run
 */
public record FirstRowsRing(Consumer<OnlineQueues> feeding) implements RunRing {
    @Override
    public RunRingOrder layer() {
        return RunRingOrder.FIRST_ROWS;
    }

    @Override
    public void write(RunContext run, Next next) {
        run.find(OnlineQueues.class).ifPresent(feeding);
        next.proceed();
    }
}
