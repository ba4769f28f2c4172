package hocket.rl.replay;

import hocket.rl.actors.TrainingEnvironments;
import hocket.schedulers.state.State;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The state of a collector before it stepped environments that may fail: a failure rolls back to it. */
final class RollbackState {
    private final boolean isNeeded;
    private @Nullable State before;
    private boolean hasFailed;

    RollbackState(TrainingEnvironments environments) {
        isNeeded = environments.mayFail();
    }

    /**
     * Collects, which calls {@link #keep}.
     *
     * @param restoring goes back to the kept state, first, where the last call failed
     */
    void collect(Consumer<State> restoring, Runnable collecting) {
        if (hasFailed && before != null) {
            restoring.accept(before);
        }
        hasFailed = false;
        try {
            collecting.run();
            before = null;
        } catch (RuntimeException | Error e) {
            hasFailed = before != null;
            throw e;
        }
    }

    /** Keeps a state. */
    void keep(Supplier<State> state) {
        if (isNeeded) {
            before = state.get();
        }
    }

    /** Forgets a failure: the collector was restored. */
    void forget() {
        hasFailed = false;
        before = null;
    }

    /** Returns whether the last call failed, and a state was kept. */
    boolean hasFailed() {
        return hasFailed;
    }

    /** Returns the state to save: the kept one after a failure, else the present one. */
    State toSave(Supplier<State> now) {
        State kept = before;
        return hasFailed && kept != null ? kept : now.get();
    }
}
