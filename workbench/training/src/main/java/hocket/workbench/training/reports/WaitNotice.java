package hocket.workbench.training.reports;

import hocket.schedulers.Next;
import hocket.schedulers.Ring;
import hocket.schedulers.Run;
import hocket.workbench.terminal.Spinner;
import hocket.workbench.terminal.Terminal;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Shows a person what training waits for, such as scores that another ring computes, once that takes half a second. Most rings are due
 * each round and only check a condition: these cost no more than a look at the clock.
 */
public final class WaitNotice implements Ring {
    private static final long AFTER_NANOS = 500_000_000;
    private static final long EVERY_MILLIS = 200;

    private final Terminal terminal;
    private final LongSupplier nanos;

    /** The ring that training waits for; guarded by this, as are the others. */
    private @Nullable Ring awaited;

    private long since;
    private boolean isShown;

    /**
     * @param terminal where it is shown
     * @param nanos a monotonic clock, such as {@link System#nanoTime}
     */
    public WaitNotice(Terminal terminal, LongSupplier nanos) {
        this.terminal = terminal;
        this.nanos = nanos;
    }

    @Override
    public void run(Run run, Next next) {
        if (!terminal.inPlace()) {
            next.proceed();
            return;
        }
        Thread drawing = new Thread(this::draw, "wait notice");
        drawing.setDaemon(true);
        drawing.start();
        try {
            next.proceed();
        } finally {
            drawing.interrupt();
        }
    }

    @Override
    public void beside(Run run, Ring due, Next next) {
        await(due);
        try {
            next.proceed();
        } finally {
            await(null);
        }
    }

    private synchronized void await(@Nullable Ring due) {
        awaited = due;
        since = nanos.getAsLong();
        if (isShown) {
            terminal.erase();
            isShown = false;
        }
    }

    private void draw() {
        try {
            while (true) {
                Thread.sleep(EVERY_MILLIS);
                look();
            }
        } catch (InterruptedException e) {
            // the run has ended
        }
    }

    /** Draws the name of the awaited ring if it takes long. */
    synchronized void look() {
        long waited = nanos.getAsLong() - since;
        if (awaited != null && waited >= AFTER_NANOS) {
            terminal.redraw(Spinner.line(awaited.name(), Double.NaN, waited * 1e-9));
            isShown = true;
        }
    }
}
