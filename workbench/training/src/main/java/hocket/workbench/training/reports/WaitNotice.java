package hocket.workbench.training.reports;

import hocket.schedulers.Next;
import hocket.schedulers.Ring;
import hocket.schedulers.Run;
import hocket.workbench.terminal.Spinner;
import hocket.workbench.terminal.Terminal;

/**
 * Shows a person what training waits for, such as scores that another ring computes.
 *
 * @param terminal where it is shown
 */
public record WaitNotice(Terminal terminal) implements Ring {
    @Override
    public void beside(Run run, Ring due, Next next) {
        try (Spinner spinner = new Spinner(terminal, due.name(), false)) {
            next.proceed();
        }
    }
}
