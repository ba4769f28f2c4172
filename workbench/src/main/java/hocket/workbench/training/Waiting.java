package hocket.workbench.training;

import hocket.schedulers.Rest;
import hocket.schedulers.Ring;
import hocket.schedulers.Run;
import hocket.workbench.terminal.Terminal;
import hocket.workbench.terminal.Working;

/**
 * Shows a person what training waits for: what another ring does beside it, such as scores.
 *
 * @param terminal where it is shown
 */
record Waiting(Terminal terminal) implements Ring {
    @Override
    public void beside(Run run, Ring due, Rest rest) {
        try (Working working = new Working(terminal, due.name(), false)) {
            rest.go();
        }
    }
}
