package hocket.schedulers.turns;

import hocket.programs.Program;
import hocket.schedulers.Turn;
import hocket.schedulers.state.State;
import hocket.schedulers.state.Stateful;

/**
 * A {@link Turn.Action} that learns state without which the parameters are useless, such as the statistics by which an
 * agent normalises observations. A run that starts from the parameters of another copies this state, too.
 */
public interface Inheriting extends Stateful {
    /** Returns the programs whose parameters need this state; a run that copies only some of them starts without it. */
    Program program();

    /**
     * Copies what another action had learnt and keeps its own position. Called before the run starts.
     *
     * @param saved the result of {@link #save} of the other
     * @throws IllegalArgumentException if it does not fit, naming the setting; nothing has changed then
     */
    void inherit(State saved);
}
