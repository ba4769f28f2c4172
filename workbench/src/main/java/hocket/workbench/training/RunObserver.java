package hocket.workbench.training;

import hocket.schedulers.Ring;
import hocket.schedulers.commands.Steering;
import hocket.workbench.online.OnlineQueues;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.RunListener;
import hocket.workbench.runs.SelectedExperiment;
import java.util.List;
import java.util.function.Supplier;

/** Who attends a run, such as a live page: hears what is written down, is a ring around it, and may give commands. */
public interface RunObserver extends RunListener, Ring {
    /**
     * Looks whether it can attend a run; called before anything is written.
     *
     * @throws hocket.workbench.terminal.UserError if it cannot
     */
    default void require(SelectedExperiment selectedExperiment) {}

    /**
     * The run is about to begin: everything has been checked, and its folder is there.
     *
     * @return what is closed when it has ended, whatever its end
     */
    Attendance observe(SelectedExperiment selectedExperiment, RunFolder folder, Steering steering);

    /** The run's feeds take rows from outside from now on; called before {@link #observe}, where there are some. */
    default void fed(OnlineQueues queues) {}

    /**
     * The run trains in several processes from now on; called before {@link #observe}, where it does.
     *
     * @param workers how they are, for any thread
     */
    default void among(Supplier<List<Worker>> workers) {}

    /** The run waits for rows from outside; said several times a second, by the training thread. */
    default void waits() {}

    /** It waits no longer. */
    default void continues() {}

    /** Attends until it is closed. */
    interface Attendance extends AutoCloseable {
        /** The run failed. */
        void failed(String why);

        @Override
        void close();
    }
}
