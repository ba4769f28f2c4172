package hocket.schedulers.turns;

import hocket.schedulers.Turn;
import hocket.schedulers.state.Stateful;

/**
 * A {@link Turn.Action} that depends on code which may fail, such as environments, and that goes back then: its saved state
 * is the one before its call. So the run can be saved where it failed, and takes the same turn when it is resumed.
 */
public interface RepeatableAction extends Turn.Action, Stateful {
    /** Returns whether the last call failed, and {@link #save} returns the state from which the turn can be taken again. */
    boolean isToRepeat();
}
