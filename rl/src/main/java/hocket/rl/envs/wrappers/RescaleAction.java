package hocket.rl.envs.wrappers;

import hocket.rl.envs.Environment;
import hocket.rl.envs.ForwardingEnvironment;
import hocket.rl.spaces.Box;
import hocket.rl.spaces.Space;
import java.util.Arrays;

/**
 * A wrapper that maps actions in -1..1 linearly to the action space, {@code low + (a + 1) / 2 (high - low)}, as
 * Gymnasium's {@code RescaleAction} and Stable-Baselines3. Actions outside are clipped.
 */
public final class RescaleAction extends ForwardingEnvironment {
    private final Box bounds;
    private final Box actions;
    private final float[] stretched;

    /** @throws IllegalArgumentException if actions are not of a box with finite bounds */
    public RescaleAction(Environment inner) {
        super(inner);
        bounds = BoxSpaces.require(inner, inner.actions(), "rescaled actions");
        if (!bounds.bounded()) {
            throw new IllegalArgumentException(
                    inner.name() + ": rescaled actions need finite bounds, they are of " + bounds);
        }
        float[] low = new float[bounds.width()];
        float[] high = new float[bounds.width()];
        Arrays.fill(low, -1);
        Arrays.fill(high, 1);
        actions = new Box(bounds.shape(), low, high);
        stretched = new float[bounds.width()];
    }

    @Override
    public Space actions() {
        return actions;
    }

    @Override
    public void prepare(float[] action, int at) {
        super.prepare(stretch(action, at), 0);
    }

    @Override
    public void step(float[] action, int at) {
        super.step(stretch(action, at), 0);
    }

    private float[] stretch(float[] action, int at) {
        for (int i = 0; i < stretched.length; i++) {
            double low = bounds.low(i);
            double high = bounds.high(i);
            double value = low + 0.5 * (action[at + i] + 1.0) * (high - low);
            stretched[i] = (float) Math.min(Math.max(value, low), high);
        }
        return stretched;
    }
}
