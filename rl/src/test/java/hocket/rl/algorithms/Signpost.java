package hocket.rl.algorithms;

import hocket.rl.envs.EpisodicEnvironment;
import hocket.rl.spaces.Box;
import hocket.rl.spaces.Discrete;
import hocket.schedulers.state.State;
import hocket.scopes.Shape;

/**
 * Shows a sign, -1 or 1, in the first picture only, at its corner; the reward is 1 if the last action, three steps later,
 * says which it was, else -1. Without a memory the mean return is 0. Pictures are (1, 3, 3).
 */
final class Signpost extends EpisodicEnvironment {
    private static final int LENGTH = 4;
    private static final int PIXELS = 9;
    private int sign;
    private int at;

    Signpost() {
        super("Signpost", picture(), new Discrete(2));
    }

    private static Box picture() {
        float[] low = new float[PIXELS];
        float[] high = new float[PIXELS];
        for (int i = 0; i < PIXELS; i++) {
            low[i] = -1;
            high[i] = 1;
        }
        return new Box(Shape.of(1, 3, 3), low, high);
    }

    @Override
    protected void begin() {
        sign = random().uniform(-1, 1) < 0 ? -1 : 1;
        at = 0;
    }

    @Override
    protected void act(float[] action, int index) {
        boolean last = ++at == LENGTH;
        outcome(last ? sign * (2 * action[index] - 1) : 0, last);
    }

    @Override
    public void observe(float[] into, int index) {
        for (int i = 0; i < PIXELS; i++) {
            into[index + i] = i == 0 && at == 0 ? sign : 0;
        }
    }

    @Override
    protected State saveOwnState() {
        return State.empty().with("sign", sign).with("at", at);
    }

    @Override
    protected void restoreOwnState(State state) {
        sign = (int) state.whole("sign");
        at = (int) state.whole("at");
    }
}
