package hocket.workbench.training;

import hocket.schedulers.Next;
import hocket.workbench.runs.SelectedExperiment;
import java.util.List;

/**
 * Something around a whole run, from before its folder is locked until after it is free again: wider than a {@link
 * hocket.schedulers.Ring}, as there is no scheduler yet. Each method is given the rest of the run, or is asked before it; rings
 * stand in the order of {@link RunRingOrder}.
 */
public interface RunRing {
    /** Its place among the rings. */
    RunRingOrder layer();

    /** Around all of it: nothing has been read yet. */
    default void run(RunContext run, Next next) {
        next.proceed();
    }

    /**
     * Looks at the experiment, once it is built. Inner rings come first.
     *
     * @return the experiment as it is run
     * @throws hocket.workbench.terminal.UserError if it cannot be run
     */
    default SelectedExperiment select(RunContext run, SelectedExperiment built) {
        return built;
    }

    /**
     * The last check before something is written: the store is filled, and the scheduler is where the run begins.
     *
     * @throws hocket.workbench.terminal.UserError if the run cannot begin
     */
    default void check(RunContext run) {}

    /** Lines that a person reads before the first turn. */
    default List<String> announce(RunContext run) {
        return List.of();
    }

    /** Around all that writes: everything has been checked. */
    default void write(RunContext run, Next next) {
        next.proceed();
    }
}
