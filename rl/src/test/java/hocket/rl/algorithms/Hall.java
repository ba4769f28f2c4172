package hocket.rl.algorithms;

import hocket.rl.envs.Environment;
import hocket.rl.envs.EpisodicEnvironment;
import hocket.rl.envs.wrappers.TimeLimit;
import hocket.rl.spaces.Box;
import hocket.rl.spaces.Discrete;
import hocket.schedulers.state.State;

/**
 * A corridor of five doors: the last one on the right gives a reward of 1, and each step costs 0.1. The best return is
 * 0.5, a random policy's about -1.5. Episodes are truncated after 20 steps.
 */
final class Hall extends EpisodicEnvironment {
    private int door;

    Hall() {
        super("Hall", Box.of(1, 0, 5), new Discrete(2));
    }

    static Environment limited() {
        return new TimeLimit(new Hall(), 20);
    }

    @Override
    protected void begin() {
        door = 0;
    }

    @Override
    protected void act(float[] action, int at) {
        door = action[at] == 1 ? door + 1 : Math.max(0, door - 1);
        outcome(door == 5 ? 0.9 : -0.1, door == 5);
    }

    @Override
    public void observe(float[] into, int at) {
        into[at] = door;
    }

    @Override
    protected State saveOwnState() {
        return State.empty().with("door", door);
    }

    @Override
    protected void restoreOwnState(State state) {
        door = (int) state.whole("door");
    }
}
