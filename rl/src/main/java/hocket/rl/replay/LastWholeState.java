package hocket.rl.replay;

import hocket.rl.actors.TrainingEnvironments;
import hocket.schedulers.state.State;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The state of a collector before it stepped environments that may fail: it is saved after a failure, and collected from again. */
final class LastWholeState {
    private final boolean isNeeded;
    private @Nullable State whole;
    private boolean hasFailed;

    LastWholeState(TrainingEnvironments environments) {
        isNeeded = environments.mayFail();
    }

    /**
     * Collects, which calls {@link #keep}.
     *
     * @param restoring goes back to the kept state, first, where the last call failed
     */
    void collect(Consumer<State> restoring, Runnable collecting) {
        if (hasFailed && whole != null) {
            restoring.accept(whole);
        }
        forget();
        try {
            collecting.run();
            whole = null;
        } catch (RuntimeException | Error e) {
            hasFailed = whole != null;
            throw e;
        }
    }

    /** Keeps a state. */
    void keep(Supplier<State> state) {
        if (isNeeded) {
            whole = state.get();
        }
    }

    /** Forgets a failure: the collector was restored. */
    void forget() {
        hasFailed = false;
        whole = null;
    }

    /** Returns whether the last call failed, and a state was kept. */
    boolean hasFailed() {
        return hasFailed;
    }

    /** Returns the state to save. */
    State or(Supplier<State> now) {
        State kept = whole;
        return hasFailed && kept != null ? kept : now.get();
    }
}
