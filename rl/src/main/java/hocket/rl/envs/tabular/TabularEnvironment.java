package hocket.rl.envs.tabular;

import hocket.rl.envs.EpisodicEnvironment;
import hocket.rl.spaces.Discrete;
import hocket.schedulers.state.State;

/**
 * A base class for environments with a finite number of states and a known {@link TransitionTable}. The observation is
 * the number of the state.
 */
public abstract class TabularEnvironment extends EpisodicEnvironment {
    private final TransitionTable transitions;
    private int state;

    protected TabularEnvironment(String name, TransitionTable transitions) {
        super(name, new Discrete(transitions.states()), new Discrete(transitions.actions()));
        this.transitions = transitions;
    }

    /** The transition table. */
    public final TransitionTable transitions() {
        return transitions;
    }

    /** The current state. */
    public final int state() {
        return state;
    }

    @Override
    protected void begin() {
        state = transitions.start(random());
    }

    @Override
    protected final void act(float[] action, int at) {
        int drawn = transitions.sample(state, (int) action[at], random());
        state = successor(state, transitions.next(drawn));
        outcome(transitions.reward(drawn), transitions.terminated(drawn));
    }

    /** The state that a transition ends in; a subclass may change it. */
    int successor(int from, int to) {
        return to;
    }

    @Override
    public final void observe(float[] into, int at) {
        into[at] = state;
    }

    @Override
    protected State saveOwnState() {
        return State.empty().with("state", state);
    }

    @Override
    protected void restoreOwnState(State saved) {
        long number = saved.whole("state");
        if (number < 0 || number >= transitions.states()) {
            throw new IllegalArgumentException(
                    name() + ": the saved state must be 0 to " + (transitions.states() - 1) + ", was " + number);
        }
        state = (int) number;
    }
}
