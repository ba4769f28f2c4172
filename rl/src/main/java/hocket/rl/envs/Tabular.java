package hocket.rl.envs;

import hocket.schedulers.State;

/** A world of few states, all of whose {@link Transitions} are known. Observed is the number of the state. */
public abstract class Tabular extends Episodic {
    private final Transitions transitions;
    private int state;

    protected Tabular(String name, Transitions transitions) {
        super(name, new Discrete(transitions.states()), new Discrete(transitions.actions()));
        this.transitions = transitions;
    }

    /** What every action in every state may come to. */
    public final Transitions transitions() {
        return transitions;
    }

    /** The state that it is in. */
    public final int state() {
        return state;
    }

    @Override
    protected void begin() {
        state = transitions.start(random());
    }

    @Override
    protected final void act(float[] action, int at) {
        int drawn = transitions.draw(state, (int) action[at], random());
        state = arrived(state, transitions.next(drawn));
        outcome(transitions.reward(drawn), transitions.terminated(drawn));
    }

    /** Where a transition really ends: where it leads, unless a world has reasons of its own. */
    int arrived(int from, int to) {
        return to;
    }

    @Override
    public final void observe(float[] into, int at) {
        into[at] = state;
    }

    @Override
    protected State saveWorld() {
        return State.empty().with("state", state);
    }

    @Override
    protected void restoreWorld(State saved) {
        long number = saved.whole("state");
        if (number < 0 || number >= transitions.states()) {
            throw new IllegalArgumentException(
                    name() + ": the saved state must be 0 to " + (transitions.states() - 1) + ", was " + number);
        }
        state = (int) number;
    }
}
