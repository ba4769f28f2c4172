package hocket.rl.envs;

import hocket.rl.spaces.Discrete;
import hocket.schedulers.state.State;

/** An environment that counts the steps of an episode from a random start and rewards the count. */
final class Corridor extends EpisodicEnvironment {
    private int place;

    Corridor() {
        super("Corridor", new Discrete(1000), new Discrete(2));
    }

    @Override
    protected void begin() {
        place = 100 * random().choice(9);
    }

    @Override
    protected void act(float[] action, int at) {
        place++;
        outcome(place % 100, false);
    }

    @Override
    public void observe(float[] into, int at) {
        into[at] = place;
    }

    @Override
    protected State saveOwnState() {
        return State.empty().with("place", place);
    }

    @Override
    protected void restoreOwnState(State state) {
        place = (int) state.whole("place");
    }
}
