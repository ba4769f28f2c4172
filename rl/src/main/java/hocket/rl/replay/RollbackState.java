package hocket.rl.replay;

import hocket.rl.actors.TrainingEnvironments;
import hocket.schedulers.state.State;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The state of a collector before it stepped environments that may fail: a failure rolls back to it. */
final class RollbackState {
    private final boolean isNeeded;
    private final Supplier<State> saving;
    private final Consumer<State> restoring;

    /** The state before the steps of a call that is under way. */
    private @Nullable State before;

    /** That of the last call, if it failed. */
    private @Nullable State failed;

    /**
     * @param saving saves what steps change
     * @param restoring restores it
     */
    RollbackState(TrainingEnvironments environments, Supplier<State> saving, Consumer<State> restoring) {
        isNeeded = environments.mayFail();
        this.saving = saving;
        this.restoring = restoring;
    }

    /** Collects, which calls {@link #keep}; first goes back to the kept state where the last call failed. */
    void collect(Runnable collecting) {
        State last = failed;
        if (last != null) {
            restoring.accept(last);
        }
        before = last;
        failed = null;
        try {
            collecting.run();
        } catch (RuntimeException | Error e) {
            failed = before;
            throw e;
        } finally {
            before = null;
        }
    }

    /** Keeps the present state. */
    void keep() {
        if (isNeeded) {
            before = saving.get();
        }
    }

    /** Forgets a failure: the collector was restored. */
    void forget() {
        failed = null;
    }

    /** Returns whether the last call failed, and a state was kept. */
    boolean hasFailed() {
        return failed != null;
    }

    /** Returns the state to save: the kept one after a failure, else the present one. */
    State toSave() {
        State kept = failed;
        return kept == null ? saving.get() : kept;
    }
}
