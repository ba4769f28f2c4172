package hocket.rl.envs.wrappers;

import hocket.rl.envs.Environment;
import hocket.rl.envs.ForwardingEnvironment;

/** A wrapper that clips rewards: Gymnasium's {@code ClipReward}. */
public final class ClipReward extends ForwardingEnvironment {
    private final double low;
    private final double high;

    /** @throws IllegalArgumentException if low is not below high */
    public ClipReward(Environment inner, double low, double high) {
        super(inner);
        if (!(low < high)) {
            throw new IllegalArgumentException(
                    inner.name() + ": rewards are clipped from below to above, were " + low + " and " + high);
        }
        this.low = low;
        this.high = high;
    }

    @Override
    public double reward() {
        return Math.min(Math.max(super.reward(), low), high);
    }
}
