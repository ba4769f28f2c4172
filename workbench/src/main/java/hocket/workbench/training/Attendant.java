package hocket.workbench.training;

import hocket.schedulers.Ring;
import hocket.schedulers.Steering;
import hocket.workbench.online.OnlineQueues;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.Selected;
import hocket.workbench.runs.Witness;
import java.util.List;
import java.util.function.Supplier;

/** Who attends a run, such as a live page: hears what is written down, is a ring around it, and may give commands. */
public interface Attendant extends Witness, Ring {
    /**
     * Looks whether it can attend a run; called before anything is written.
     *
     * @throws hocket.workbench.terminal.Refusal if it cannot
     */
    default void require(Selected selected) {}

    /**
     * The run is about to begin: everything has been checked, and its folder is there.
     *
     * @return what is closed when it has ended, whatever its end
     */
    Attendance attend(Selected selected, RunFolder folder, Steering steering);

    /** The run's feeds take rows from outside from now on; called before {@link #attend}, where there are some. */
    default void fed(OnlineQueues queues) {}

    /**
     * The run trains in several processes from now on; called before {@link #attend}, where it does.
     *
     * @param workers how they are, for any thread
     */
    default void among(Supplier<List<Worker>> workers) {}

    /** The run waits for rows from outside; said several times a second, by the training thread. */
    default void waits() {}

    /** It waits no longer. */
    default void goesOn() {}

    /** Attends until it is closed. */
    interface Attendance extends AutoCloseable {
        /** The run failed. */
        void failed(String why);

        @Override
        void close();
    }
}
