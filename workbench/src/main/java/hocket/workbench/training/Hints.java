package hocket.workbench.training;

import hocket.schedulers.DivergedException;
import hocket.schedulers.Rest;
import hocket.schedulers.Ring;
import hocket.schedulers.Run;
import hocket.workbench.terminal.Terminal;
import java.util.function.Consumer;

/**
 * Says what a person may do about a run that diverged.
 *
 * @param terminal on which progress is shown
 * @param detectAnomalies whether the run looks for the first number that is not finite
 * @param person takes lines
 */
record Hints(Terminal terminal, boolean detectAnomalies, Consumer<String> person) implements Ring {
    @Override
    public void run(Run run, Rest rest) {
        try {
            rest.go();
        } catch (Throwable e) {
            terminal.erase();
            if (e instanceof DivergedException found
                    && !detectAnomalies
                    && found.anomaly().isEmpty()) {
                person.accept("next     --detect-anomaly, with --resume or from the start, says where it began");
            }
            throw e;
        }
        terminal.erase();
    }
}
