package hocket.workbench.training;

import hocket.workbench.online.Watch;
import hocket.workbench.terminal.Figures;
import hocket.workbench.terminal.Terminal;
import hocket.workbench.terminal.Working;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Tells a person that a run waits for rows from outside: in place where it can be, else in a line now and then. */
final class RowsAwaited implements Watch {
    private static final long FIRST_NANOS = 2_000_000_000L;
    private static final long BETWEEN_NANOS = 60_000_000_000L;

    private final Terminal terminal;
    private final boolean quiet;
    private final BooleanSupplier asked;
    private final Consumer<String> person;
    private final LongSupplier nanos;
    private final List<Attendant> attendants;
    private @Nullable Working working;
    private boolean waiting;
    private long since;
    private boolean told;
    private long last;

    /**
     * @param asked whether the run was asked to end
     * @param person takes lines
     * @param nanos a clock that never goes back
     * @param attendants are told, too
     */
    RowsAwaited(
            Terminal terminal,
            boolean quiet,
            BooleanSupplier asked,
            Consumer<String> person,
            LongSupplier nanos,
            List<Attendant> attendants) {
        this.attendants = attendants;
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
        attendants.forEach(Attendant::waits);
        long now = nanos.getAsLong();
        if (!waiting) {
            waiting = true;
            since = now;
        }
        if (terminal.inPlace()) {
            if (working == null) {
                working = new Working(terminal, "waits for rows of " + source, quiet);
            }
        } else if (now - since >= FIRST_NANOS && (!told || now - last >= BETWEEN_NANOS)) {
            told = true;
            last = now;
            person.accept("waits    for rows of " + source + ": " + Figures.grouped(there) + " of "
                    + Figures.grouped(wanted) + " are there");
        }
    }

    @Override
    public void goesOn(String source) {
        attendants.forEach(Attendant::goesOn);
        waiting = false;
        if (working != null) {
            working.close();
            working = null;
        }
    }

    @Override
    public void says(String line) {
        terminal.erase();
        terminal.remark("hocket: " + line);
    }
}
