package hocket.workbench.training;

import hocket.schedulers.Rest;
import hocket.schedulers.Steering;
import hocket.workbench.online.OnlineQueues;
import hocket.workbench.online.Watch;
import java.util.List;

/**
 * Opens the queues of feeds that take rows from outside, in the run's folder.
 *
 * @param observers are told when the run waits for rows
 */
record RowsRing(List<Attendant> observers) implements RunRing {
    @Override
    public RunLayer layer() {
        return RunLayer.ROWS;
    }

    @Override
    public void write(RunContext run, Rest rest) {
        Steering steering = run.get(Steering.class);
        Watch watch = new RowsAwaited(
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
                watch)) {
            if (!queues.byFeed().isEmpty()) {
                run.give(OnlineQueues.class, queues);
                run.ring(queues);
            }
            rest.go();
        }
    }
}
