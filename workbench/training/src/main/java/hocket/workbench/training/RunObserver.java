package hocket.workbench.training;

import hocket.schedulers.Ring;
import hocket.schedulers.commands.Steering;
import hocket.workbench.online.OnlineQueues;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.RunListener;
import hocket.workbench.runs.SelectedExperiment;
import java.util.List;
import java.util.function.Supplier;

/**
 * An observer of a run, such as a live page: it receives the run's records, is a ring around it, and may send commands.
 */
public interface RunObserver extends RunListener, Ring {
    /**
     * Checks whether it can observe a run; called before anything is written.
     *
     * @throws hocket.workbench.files.UserError if it cannot
     */
    default void require(SelectedExperiment selectedExperiment) {}

    /**
     * Called when the run is about to begin: everything has been checked, and its folder exists.
     *
     * @return is closed when the run has ended, in success and in failure
     */
    Attendance observe(SelectedExperiment selectedExperiment, RunFolder folder, Steering steering);

    /** Called before {@link #observe} if the run's feeds take rows from outside. */
    default void fed(OnlineQueues queues) {}

    /**
     * Called before {@link #observe} if the run trains in several processes.
     *
     * @param workers their status, for any thread
     */
    default void among(Supplier<List<Worker>> workers) {}

    /** Called several times a second by the training thread while the run waits for rows from outside. */
    default void waits() {}

    /** Called when the run no longer waits. */
    default void continues() {}

    /** Observes a run until it is closed. */
    interface Attendance extends AutoCloseable {
        /** The run failed. */
        void failed(String why);

        @Override
        void close();
    }
}
