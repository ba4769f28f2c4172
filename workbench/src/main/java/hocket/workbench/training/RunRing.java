package hocket.workbench.training;

import hocket.schedulers.Rest;
import hocket.workbench.runs.Selected;
import java.util.List;

/**
 * Something around a whole run, from before its folder is locked until after it is free again: wider than a {@link
 * hocket.schedulers.Ring}, as there is no scheduler yet. Each method is given the rest of the run, or is asked before it; rings
 * stand in the order of {@link RunLayer}.
 */
public interface RunRing {
    /** Its place among the rings. */
    RunLayer layer();

    /** Around all of it: nothing has been read yet. */
    default void run(RunContext run, Rest rest) {
        rest.go();
    }

    /**
     * Looks at the experiment, once it is built. Inner rings come first.
     *
     * @return the experiment as it is run
     * @throws hocket.workbench.terminal.Refusal if it cannot be run
     */
    default Selected select(RunContext run, Selected built) {
        return built;
    }

    /**
     * The last check before something is written: the store is filled, and the scheduler is where the run begins.
     *
     * @throws hocket.workbench.terminal.Refusal if the run cannot begin
     */
    default void check(RunContext run) {}

    /** Lines that a person reads before the first turn. */
    default List<String> announce(RunContext run) {
        return List.of();
    }

    /** Around all that writes: everything has been checked. */
    default void write(RunContext run, Rest rest) {
        rest.go();
    }
}
