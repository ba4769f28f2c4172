package hocket.rl.envs.wrappers;

import hocket.rl.envs.Environment;
import hocket.rl.envs.ForwardingEnvironment;
import hocket.rl.spaces.Box;
import hocket.rl.spaces.Space;

/**
 * A wrapper that accepts any real numbers as an action and clips them to the action space: Gymnasium's {@code
 * ClipAction}.
 */
public final class ClipAction extends ForwardingEnvironment {
    private final Box bounds;
    private final Box actions;
    private final float[] clipped;

    /** @throws IllegalArgumentException if actions are not of a box */
    public ClipAction(Environment inner) {
        super(inner);
        bounds = BoxSpaces.require(inner, inner.actions(), "clipped actions");
        actions = BoxSpaces.unbounded(bounds.shape());
        clipped = new float[bounds.width()];
    }

    @Override
    public Space actions() {
        return actions;
    }

    @Override
    public void prepare(float[] action, int at) {
        super.prepare(clip(action, at), 0);
    }

    @Override
    public void step(float[] action, int at) {
        super.step(clip(action, at), 0);
    }

    private float[] clip(float[] action, int at) {
        for (int i = 0; i < clipped.length; i++) {
            clipped[i] = Math.min(Math.max(action[at + i], bounds.low(i)), bounds.high(i));
        }
        return clipped;
    }
}
