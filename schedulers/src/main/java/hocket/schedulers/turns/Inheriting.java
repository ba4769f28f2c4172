package hocket.schedulers.turns;

import hocket.programs.Program;
import hocket.schedulers.Turn;
import hocket.schedulers.state.State;
import hocket.schedulers.state.Stateful;

/**
 * A {@link Turn.Action} that learns something beside the parameters, which these are worth nothing without: the statistics by
 * which an agent normalises what it observes. A run that starts from the parameters of another takes this over, too.
 */
public interface Inheriting extends Stateful {
    /** Whose parameters are worth nothing without it: a run that takes over only some of these goes on without. */
    Program program();

    /**
     * Takes over what another had learnt; where it stands otherwise stays its own. Called before the run begins.
     *
     * @param saved what {@link #save} of the other gave
     * @throws IllegalArgumentException if it does not fit, naming the setting; then nothing has changed
     */
    void inherit(State saved);
}
