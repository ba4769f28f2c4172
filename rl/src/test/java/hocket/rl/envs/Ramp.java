package hocket.rl.envs;

import hocket.rl.spaces.Box;
import hocket.schedulers.state.State;

/**
 * An environment whose observation is the square of the step and whose reward is the step; the third step terminates.
 * It remembers the last action.
 */
public final class Ramp extends EpisodicEnvironment {
    private int step;
    private float done;

    public Ramp() {
        super("Ramp", Box.of(1, -1000, 1000), new Box(new float[] {-2}, new float[] {6}));
    }

    public float done() {
        return done;
    }

    @Override
    protected void begin() {
        step = 0;
    }

    @Override
    protected void act(float[] action, int at) {
        step++;
        done = action[at];
        outcome(step, step == 3);
    }

    @Override
    public void observe(float[] into, int at) {
        into[at] = step * step;
    }

    @Override
    protected State saveOwnState() {
        return State.empty().with("step", step).with("done", (double) done);
    }

    @Override
    protected void restoreOwnState(State state) {
        long saved = state.whole("step");
        done = (float) state.real("done");
        step = (int) saved;
    }
}
