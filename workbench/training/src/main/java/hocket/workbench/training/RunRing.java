package hocket.workbench.training;

import hocket.schedulers.Next;
import hocket.workbench.runs.SelectedExperiment;
import java.util.List;

/**
 * A ring around a whole run, from before its folder is locked until it is unlocked: it is wider than a {@link
 * hocket.schedulers.Ring}, as there is no scheduler yet. Each method receives the rest of the run, or is called before
 * it; rings are sorted by {@link RunRingOrder}.
 */
public interface RunRing {
    /** Returns its place among the rings. */
    RunRingOrder layer();

    /** Wraps the whole run: nothing has been read yet. */
    default void run(RunContext run, Next next) {
        next.proceed();
    }

    /**
     * Inspects the experiment after it is built. Inner rings are called first.
     *
     * @return the experiment that is run
     * @throws hocket.workbench.files.UserError if it cannot be run
     */
    default SelectedExperiment select(RunContext run, SelectedExperiment built) {
        return built;
    }

    /**
     * Makes the last check before something is written: the store is filled, and the scheduler is at the run's first
     * round.
     *
     * @throws hocket.workbench.files.UserError if the run cannot begin
     */
    default void check(RunContext run) {}

    /** Returns lines that a person reads before the first turn. */
    default List<String> announce(RunContext run) {
        return List.of();
    }

    /** Wraps all that writes: everything has been checked. */
    default void write(RunContext run, Next next) {
        next.proceed();
    }
}
