package hocket.workbench.training;

import hocket.schedulers.Rest;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Turn;
import hocket.workbench.runs.BrokenOff;
import hocket.workbench.runs.Failure;
import hocket.workbench.training.RunRequest.ResumeCommand;
import java.util.List;

/** Logs why a run failed, and says where that was, what is lost and which command resumes it. */
final class FailureRing implements RunRing {
    @Override
    public RunLayer layer() {
        return RunLayer.FAILURE;
    }

    @Override
    public void write(RunContext run, Rest rest) {
        try {
            rest.go();
        } catch (Throwable e) {
            Scheduler scheduler = run.scheduler();
            run.get(Log.class).failed(scheduler.now(), e); // the terminal step's, or an error
            String command = run.request()
                    .beginning()
                    .resumedBy()
                    .orElseGet(() -> run.get(ResumeCommand.class).line());
            throw new BrokenOff(why(scheduler, e), run.get(Stopping.class).left(run.folder(), command));
        }
    }

    private static Throwable why(Scheduler scheduler, Throwable e) {
        if (e instanceof OutOfMemoryError) {
            return e;
        }
        boolean isJava = !Turn.acting(scheduler.unfinished()).isEmpty();
        return Failure.in(place(scheduler), isJava, e);
    }

    /** Where a run stands, for people: the turns that are being taken, and the round. */
    private static String place(Scheduler scheduler) {
        List<String> turns = scheduler.unfinished().stream().map(Turn::name).toList();
        String round = "round " + scheduler.position().round();
        return turns.isEmpty()
                ? round
                : (turns.size() == 1 ? "turn " : "turns ") + String.join(" and ", turns) + " of " + round;
    }
}
