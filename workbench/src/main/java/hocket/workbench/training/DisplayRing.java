package hocket.workbench.training;

import hocket.schedulers.Rest;
import hocket.workbench.terminal.Working;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Shows how far a runner is that says so, and takes no turns. */
final class DisplayRing implements RunRing {
    @Override
    public RunLayer layer() {
        return RunLayer.DISPLAY;
    }

    @Override
    public void write(RunContext run, Rest rest) {
        RunRequest request = run.request();
        AtomicReference<@Nullable Working> shown = new AtomicReference<>();
        run.flow().watch(part -> {
            Working working = shown.get();
            if (working == null) {
                working = new Working(
                        request.workplace().terminal(),
                        request.runner(),
                        request.flags().quiet());
                shown.set(working);
            }
            working.done(part);
            if (part >= 1) {
                working.close();
            }
        });
        try {
            rest.go();
        } finally {
            Working working = shown.get();
            if (working != null) {
                working.close();
            }
        }
    }
}
