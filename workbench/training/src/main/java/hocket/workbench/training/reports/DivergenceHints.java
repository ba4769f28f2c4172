package hocket.workbench.training.reports;

import hocket.schedulers.Next;
import hocket.schedulers.Ring;
import hocket.schedulers.Run;
import hocket.schedulers.turns.DivergedException;
import hocket.workbench.terminal.Terminal;
import java.util.function.Consumer;

/**
 * Advises a person on a run that diverged.
 *
 * @param terminal on which progress is shown
 * @param detectAnomalies whether the run searches for the first number that is not finite
 * @param person receives lines
 */
public record DivergenceHints(Terminal terminal, boolean detectAnomalies, Consumer<String> person) implements Ring {
    @Override
    public void run(Run run, Next rest) {
        try {
            rest.proceed();
        } catch (Throwable e) {
            terminal.erase();
            if (e instanceof DivergedException found
                    && !detectAnomalies
                    && found.anomaly().isEmpty()) {
                person.accept("next     --detect-anomaly, with --resume or from the start, finds its origin");
            }
            throw e;
        }
        terminal.erase();
    }
}
