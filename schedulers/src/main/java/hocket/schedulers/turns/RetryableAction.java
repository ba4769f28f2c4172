package hocket.schedulers.turns;

import hocket.schedulers.Turn;
import hocket.schedulers.state.Stateful;

/**
 * A {@link Turn.Action} that calls code which may fail, such as user-defined environments, and then rolls back: its saved state
 * is the one before the failure. So a failed run can be saved, and takes the same turn when it is resumed.
 */
public interface RetryableAction extends Turn.Action, Stateful {
    /** Returns whether the last call failed, and {@link #save} returns the state from which the turn can be taken again. */
    boolean canRetry();
}
