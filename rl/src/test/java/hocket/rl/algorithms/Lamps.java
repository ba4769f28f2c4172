package hocket.rl.algorithms;

import hocket.rl.envs.EpisodicEnvironment;
import hocket.rl.spaces.Box;
import hocket.rl.spaces.Space;
import hocket.schedulers.state.State;

/**
 * Shows two numbers, 0 or 1, in each of five steps; each action number that is the number shown gives a reward of 0.1. The
 * best return is 1.
 */
final class Lamps extends EpisodicEnvironment {
    private static final int LENGTH = 5;
    private final int[] shown = new int[2];
    private int at;

    /** Makes one with actions of two numbers. */
    Lamps(Space actions) {
        super("Lamps", Box.of(2, 0, 1), actions);
    }

    @Override
    protected void begin() {
        at = 0;
        show();
    }

    private void show() {
        for (int i = 0; i < shown.length; i++) {
            shown[i] = (int) random().integers(0, 2);
        }
    }

    @Override
    protected void act(float[] action, int index) {
        int same = (action[index] == shown[0] ? 1 : 0) + (action[index + 1] == shown[1] ? 1 : 0);
        show();
        outcome(0.1 * same, ++at == LENGTH);
    }

    @Override
    public void observe(float[] into, int index) {
        into[index] = shown[0];
        into[index + 1] = shown[1];
    }

    @Override
    protected State saveOwnState() {
        return State.empty().with("first", shown[0]).with("second", shown[1]).with("at", at);
    }

    @Override
    protected void restoreOwnState(State state) {
        shown[0] = (int) state.whole("first");
        shown[1] = (int) state.whole("second");
        at = (int) state.whole("at");
    }
}
