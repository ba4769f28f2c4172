package hocket.workbench.training;

import hocket.schedulers.Rest;
import hocket.schedulers.Steering;
import hocket.workbench.online.OnlineQueues;
import hocket.workbench.runs.FolderRecorder;
import hocket.workbench.runs.Selected;

/**
 * Shows a run to somebody, such as a live page, who may steer it.
 *
 * @param observer who
 */
record ObserverRing(Attendant observer) implements RunRing {
    @Override
    public RunLayer layer() {
        return RunLayer.OBSERVERS;
    }

    @Override
    public Selected select(RunContext run, Selected built) {
        observer.require(built);
        return built;
    }

    @Override
    public void write(RunContext run, Rest rest) {
        run.find(Worker.All.class).ifPresent(observer::among);
        run.find(OnlineQueues.class).ifPresent(observer::fed);
        run.get(FolderRecorder.class).witnessedBy(observer);
        run.scheduler().ring(observer);
        try (Attendant.Attendance attendance = observer.attend(run.selected(), run.folder(), run.get(Steering.class))) {
            attempt(rest, attendance);
        }
    }

    private static void attempt(Rest rest, Attendant.Attendance attendance) {
        try {
            rest.go();
        } catch (Throwable e) {
            attendance.failed(String.valueOf(e.getMessage()));
            throw e;
        }
    }
}
