package hocket.workbench.training.reports;

import hocket.workbench.online.RowsObserver;
import hocket.workbench.terminal.NumberFormats;
import hocket.workbench.terminal.Spinner;
import hocket.workbench.terminal.Terminal;
import hocket.workbench.training.RunObserver;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Tells a person that a run waits for rows from outside: in place on a terminal, else in a line now and then. */
public final class RowsWaitNotice implements RowsObserver {
    private static final long FIRST_NANOS = 2_000_000_000L;
    private static final long BETWEEN_NANOS = 60_000_000_000L;

    private final Terminal terminal;
    private final boolean quiet;
    private final BooleanSupplier asked;
    private final Consumer<String> person;
    private final LongSupplier nanos;
    private final List<RunObserver> runObservers;
    private @Nullable Spinner spinner;
    private boolean waiting;
    private long since;
    private boolean told;
    private long last;

    /**
     * @param asked whether the run was asked to end
     * @param person receives lines
     * @param nanos a monotonic clock
     * @param runObservers receive the same notice
     */
    public RowsWaitNotice(
            Terminal terminal,
            boolean quiet,
            BooleanSupplier asked,
            Consumer<String> person,
            LongSupplier nanos,
            List<RunObserver> runObservers) {
        this.runObservers = runObservers;
        this.terminal = terminal;
        this.quiet = quiet;
        this.asked = asked;
        this.person = person;
        this.nanos = nanos;
    }

    @Override
    public boolean isAskedToEnd() {
        return asked.getAsBoolean();
    }

    @Override
    public void waits(String source, long there, int wanted) {
        runObservers.forEach(RunObserver::waits);
        long now = nanos.getAsLong();
        if (!waiting) {
            waiting = true;
            since = now;
        }
        if (terminal.inPlace()) {
            if (spinner == null) {
                spinner = new Spinner(terminal, "waits for rows of " + source, quiet);
            }
        } else if (now - since >= FIRST_NANOS && (!told || now - last >= BETWEEN_NANOS)) {
            told = true;
            last = now;
            person.accept("waits    for rows of " + source + ": " + NumberFormats.grouped(there) + " of "
                    + NumberFormats.grouped(wanted) + " are there");
        }
    }

    @Override
    public void continues(String source) {
        runObservers.forEach(RunObserver::continues);
        waiting = false;
        if (spinner != null) {
            spinner.close();
            spinner = null;
        }
    }

    @Override
    public void says(String line) {
        terminal.erase();
        terminal.remark("hocket: " + line);
    }
}
