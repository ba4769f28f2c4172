package hocket.workbench.training.rings;

import hocket.schedulers.Next;
import hocket.schedulers.commands.Steering;
import hocket.workbench.online.OnlineQueues;
import hocket.workbench.runs.CommandFailure;
import hocket.workbench.runs.FolderRecorder;
import hocket.workbench.runs.SelectedExperiment;
import hocket.workbench.training.RunContext;
import hocket.workbench.training.RunObserver;
import hocket.workbench.training.RunRing;
import hocket.workbench.training.RunRingOrder;
import hocket.workbench.training.Worker;

/**
 * Shows a run to an observer, such as a live page, that may send commands.
 *
 * @param observer who
 */
public record ObserverRing(RunObserver observer) implements RunRing {
    @Override
    public RunRingOrder layer() {
        return RunRingOrder.OBSERVERS;
    }

    @Override
    public SelectedExperiment select(RunContext run, SelectedExperiment built) {
        observer.require(built);
        return built;
    }

    @Override
    public void write(RunContext run, Next next) {
        run.find(Worker.All.class).ifPresent(observer::among);
        run.find(OnlineQueues.class).ifPresent(observer::fed);
        run.get(FolderRecorder.class).heardBy(observer);
        run.scheduler().ring(observer);
        try (RunObserver.Attendance attendance =
                observer.observe(run.selected(), run.folder(), run.get(Steering.class))) {
            attempt(next, attendance);
        }
    }

    private static void attempt(Next next, RunObserver.Attendance attendance) {
        try {
            next.proceed();
        } catch (Throwable e) {
            attendance.failed(CommandFailure.words(e));
            throw e;
        }
    }
}
