package hocket.workbench.training.rings;

import hocket.schedulers.Next;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Turn;
import hocket.workbench.runs.CommandFailure;
import hocket.workbench.runs.RunFailure;
import hocket.workbench.training.RunContext;
import hocket.workbench.training.RunRequest.ResumeCommand;
import hocket.workbench.training.RunRing;
import hocket.workbench.training.RunRingOrder;
import hocket.workbench.training.reports.RunLog;
import hocket.workbench.training.reports.StopNotice;
import java.util.List;

/** Logs why and where a run failed, what is lost and which command resumes it. */
public final class FailureRing implements RunRing {
    @Override
    public RunRingOrder layer() {
        return RunRingOrder.FAILURE;
    }

    @Override
    public void write(RunContext run, Next next) {
        try {
            next.proceed();
        } catch (Throwable e) {
            Scheduler scheduler = run.scheduler();
            run.get(RunLog.class).failed(scheduler.now(), e); // the terminal step's, or an error
            String command = run.request()
                    .beginning()
                    .resumedBy()
                    .orElseGet(() -> run.get(ResumeCommand.class).line());
            throw new RunFailure(why(scheduler, e), run.get(StopNotice.class).left(run.folder(), command));
        }
    }

    private static Throwable why(Scheduler scheduler, Throwable e) {
        if (e instanceof OutOfMemoryError) {
            return e;
        }
        boolean isJava = !Turn.acting(scheduler.unfinished()).isEmpty();
        return CommandFailure.in(place(scheduler), isJava, e);
    }

    /** The position of a run, for people: the current turns and the round. */
    private static String place(Scheduler scheduler) {
        List<String> turns = scheduler.unfinished().stream().map(Turn::name).toList();
        String round = "round " + scheduler.position().round();
        return turns.isEmpty()
                ? round
                : (turns.size() == 1 ? "turn " : "turns ") + String.join(" and ", turns) + " of " + round;
    }
}
