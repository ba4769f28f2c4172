package hocket.workbench.training.reports;

import hocket.schedulers.Next;
import hocket.schedulers.Recorder;
import hocket.schedulers.Ring;
import hocket.schedulers.Run;
import hocket.schedulers.rings.KeepBest;
import hocket.schedulers.settings.UserCodeFailure;
import hocket.workbench.forms.Classes;
import hocket.workbench.terminal.Terminal;
import java.io.UncheckedIOException;
import java.util.Map;

/**
 * Spares a run what is no reason to lose it: samples and scores that cannot be had are remarked on and logged. A best that
 * cannot be written is one.
 *
 * @param recorder keeps where it came from
 * @param terminal shows that it was so
 */
public record TolerantActions(Recorder recorder, Terminal terminal) implements Ring {
    /** What a person misses, where the ring is not called so. */
    private static final Map<String, String> SPARED = Map.of("score", "scores", "best", "scores");

    @Override
    public void beside(Run run, Ring due, Next next) {
        if (!due.isTolerated()) {
            next.proceed();
            return;
        }
        String what = SPARED.getOrDefault(due.name(), due.name());
        try {
            next.proceed();
        } catch (UncheckedIOException e) {
            if (due instanceof KeepBest) {
                throw e;
            }
            missing(run, what, e);
        } catch (Throwable e) {
            missing(run, what, e);
        }
    }

    void missing(Run run, String what, Throwable why) {
        UserCodeFailure.rethrowIfFatal(why);
        recorder.text(run.position(), "no " + what, RunLog.trace(why));
        terminal.remark(
                "hocket: no " + what + ": " + Classes.failure(why).orElse(why.getMessage()) + "; log.txt says where");
    }
}
