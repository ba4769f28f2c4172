package hocket.workbench.training.reports;

import hocket.schedulers.Next;
import hocket.schedulers.Recorder;
import hocket.schedulers.Ring;
import hocket.schedulers.Run;
import hocket.schedulers.settings.UserCodeFailure;
import hocket.workbench.files.forms.Classes;
import hocket.workbench.runs.CommandFailure;
import hocket.workbench.terminal.Terminal;
import java.util.Map;

/**
 * Logs failures of optional actions (samples, scores) and lets the run continue. Writing the best checkpoint is such an
 * action.
 *
 * @param recorder keeps the cause
 * @param terminal shows a remark
 */
public record TolerantActions(Recorder recorder, Terminal terminal) implements Ring {
    /** Returns what a person misses, if it differs from the ring's name. */
    private static final Map<String, String> SPARED = Map.of("score", "scores", "best", "scores");

    @Override
    public void beside(Run run, Ring due, Next next) {
        try {
            next.proceed();
        } catch (Throwable e) {
            if (!due.isTolerated(e)) {
                throw e;
            }
            missing(run, SPARED.getOrDefault(due.name(), due.name()), e);
        }
    }

    void missing(Run run, String what, Throwable why) {
        UserCodeFailure.rethrowIfFatal(why);
        recorder.text(run.position(), "no " + what, RunLog.trace(why));
        terminal.remark("hocket: no " + what + ": " + Classes.failure(why).orElseGet(() -> CommandFailure.words(why))
                + "; log.txt says where");
    }
}
