package hocket.workbench.training.rings;

import hocket.schedulers.Next;
import hocket.schedulers.commands.Steering;
import hocket.workbench.online.OnlineQueues;
import hocket.workbench.online.RowsObserver;
import hocket.workbench.training.RunContext;
import hocket.workbench.training.RunObserver;
import hocket.workbench.training.RunRing;
import hocket.workbench.training.RunRingOrder;
import hocket.workbench.training.reports.RowsWaitNotice;
import java.util.List;

/**
 * Opens the queues of feeds that take rows from outside, in the run's folder.
 *
 * @param observers called when the run waits for rows
 */
public record RowsRing(List<RunObserver> observers) implements RunRing {
    @Override
    public RunRingOrder layer() {
        return RunRingOrder.ROWS;
    }

    @Override
    public void write(RunContext run, Next next) {
        Steering steering = run.get(Steering.class);
        RowsObserver rowsObserver = new RowsWaitNotice(
                run.request().workplace().terminal(),
                run.request().flags().quiet(),
                () -> run.stop().isRequested() || steering.isAsked(),
                run::remark,
                System::nanoTime,
                observers);
        try (OnlineQueues queues = OnlineQueues.open(
                run.flow().setup().feeds().stream()
                        .map(feed -> feed.source().open())
                        .toList(),
                run.folder().path(),
                rowsObserver)) {
            if (!queues.byFeed().isEmpty()) {
                run.give(OnlineQueues.class, queues);
                run.ring(queues);
            }
            next.proceed();
        }
    }
}
