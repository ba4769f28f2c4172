package hocket.workbench.training.rings;

import hocket.schedulers.Next;
import hocket.workbench.terminal.Spinner;
import hocket.workbench.training.RunContext;
import hocket.workbench.training.RunRequest;
import hocket.workbench.training.RunRing;
import hocket.workbench.training.RunRingOrder;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Shows the progress of a runner that takes no turns. */
public final class DisplayRing implements RunRing {
    @Override
    public RunRingOrder layer() {
        return RunRingOrder.DISPLAY;
    }

    @Override
    public void write(RunContext run, Next next) {
        RunRequest request = run.request();
        AtomicReference<@Nullable Spinner> shown = new AtomicReference<>();
        run.flow().watch(part -> {
            Spinner spinner = shown.get();
            if (spinner == null) {
                spinner = new Spinner(
                        request.workplace().terminal(),
                        request.runner(),
                        request.flags().quiet());
                shown.set(spinner);
            }
            spinner.done(part);
            if (part >= 1) {
                spinner.close();
            }
        });
        try {
            next.proceed();
        } finally {
            Spinner spinner = shown.get();
            if (spinner != null) {
                spinner.close();
            }
        }
    }
}
