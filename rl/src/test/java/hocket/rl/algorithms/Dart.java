package hocket.rl.algorithms;

import hocket.rl.envs.EpisodicEnvironment;
import hocket.rl.spaces.Box;
import hocket.schedulers.state.State;

/** An environment of one throw an episode, from -2 to 2; the reward is minus the squared distance from 1. */
final class Dart extends EpisodicEnvironment {
    Dart() {
        super("Dart", Box.of(1, -1, 1), Box.of(1, -2, 2));
    }

    @Override
    protected void begin() {
        // always alike
    }

    @Override
    protected void act(float[] action, int at) {
        double off = action[at] - 1;
        outcome(-off * off, true);
    }

    @Override
    public void observe(float[] into, int at) {
        into[at] = 1;
    }

    @Override
    protected State saveOwnState() {
        return State.empty();
    }

    @Override
    protected void restoreOwnState(State state) {
        // nothing to go back to
    }
}
