package hocket.workbench.training;

import hocket.schedulers.Rest;
import hocket.workbench.online.OnlineQueues;
import java.util.function.Consumer;

/**
 * Lets Java append rows to the run's queues, if there are any, before the first turn.
 *
 * @param feeding is called by the training thread; the queues are closed when the run is over
 */
public record FirstRowsRing(Consumer<OnlineQueues> feeding) implements RunRing {
    @Override
    public RunLayer layer() {
        return RunLayer.FIRST_ROWS;
    }

    @Override
    public void write(RunContext run, Rest rest) {
        run.find(OnlineQueues.class).ifPresent(feeding);
        rest.go();
    }
}
