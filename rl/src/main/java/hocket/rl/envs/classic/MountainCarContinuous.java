package hocket.rl.envs.classic;

import hocket.rl.spaces.Box;
import hocket.schedulers.state.State;

/**
 * The task of driving an underpowered car up a hill by a continuous force: Gymnasium's {@code
 * MountainCarContinuous-v0}.
 *
 * <p>State: position p in [-0.6, -0.4) and velocity v = 0 at the start. With action a, clipped to [-1, 1]:
 *
 * <pre>
 * v ← clip(v + 0.0015 a - 0.0025 cos 3p, ±0.07)
 * p ← clip(p + v, -1.2, 0.6), and v ← 0 against the wall on the left
 * </pre>
 *
 * Observation: p, v. Reward 100 where the episode terminates, at p = 0.45 or beyond with at least the goal's velocity,
 * less 0.1 a^2 of the unclipped action.
 *
 * <p>Gymnasium keeps the state in double precision until the first step and in single precision afterwards, with NumPy
 * 2's promotion rules. This class rounds in the same places, so trajectories agree to the last digit.
 */
public final class MountainCarContinuous extends HillCar {
    private static final double GOAL = 0.45;
    private static final double POWER = 0.0015;
    private static final double SLOPE = 0.0025;

    private boolean single;

    public MountainCarContinuous() {
        this(0);
    }

    /** @param goalVelocity the minimum velocity at the goal */
    public MountainCarContinuous(double goalVelocity) {
        super("MountainCarContinuous-v0", Box.symmetric(1), GOAL, goalVelocity);
    }

    @Override
    protected void begin() {
        super.begin();
        single = false;
    }

    @Override
    protected void act(float[] action, int at) {
        boolean arrived = single ? inSingle(action[at]) : inDouble(action[at]);
        single = true;
        outcome((arrived ? 100.0 : 0.0) - (double) action[at] * action[at] * 0.1, arrived);
    }

    private boolean inDouble(float action) {
        double v = Math.min(Math.max(velocity + change(action, Math.cos(3 * position)), -FASTEST), FASTEST);
        double p = Math.min(Math.max(position + v, LEFTMOST), RIGHTMOST);
        if (p == LEFTMOST && v < 0) {
            v = 0;
        }
        position = (float) p;
        velocity = (float) v;
        return p >= GOAL && v >= goalVelocity;
    }

    private boolean inSingle(float action) {
        float v = (float) velocity + (float) change(action, Math.cos(3 * (float) position));
        v = Math.min(Math.max(v, (float) -FASTEST), (float) FASTEST);
        float p = Math.min(Math.max((float) position + v, (float) LEFTMOST), (float) RIGHTMOST);
        if (p == (float) LEFTMOST && v < 0) {
            v = 0;
        }
        position = p;
        velocity = v;
        return p >= (float) GOAL && v >= (float) goalVelocity;
    }

    /**
     * The change of velocity: an action within bounds is a NumPy float32 and rounds the product; a clipped one is a
     * Python double.
     */
    private static double change(float action, double cos) {
        if (action > 1) {
            return POWER - SLOPE * cos;
        }
        if (action < -1) {
            return -POWER - SLOPE * cos;
        }
        return action * (float) POWER - (float) (SLOPE * cos);
    }

    @Override
    protected State saveOwnState() {
        return super.saveOwnState().with("single", single ? 1 : 0);
    }

    @Override
    protected void restoreOwnState(State state) {
        boolean savedSingle = state.whole("single") != 0;
        super.restoreOwnState(state);
        single = savedSingle;
    }
}
