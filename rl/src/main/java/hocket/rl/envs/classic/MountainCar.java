package hocket.rl.envs.classic;

import hocket.rl.spaces.Discrete;

/**
 * The task of driving an underpowered car up a hill (Moore 1990): Gymnasium's {@code MountainCar-v0}.
 *
 * <p>State: position p in [-0.6, -0.4) and velocity v = 0 at the start. With action a:
 *
 * <pre>
 * v ← clip(v + 0.001 (a - 1) - 0.0025 cos 3p, ±0.07)
 * p ← clip(p + v, -1.2, 0.6), and v ← 0 against the wall on the left
 * </pre>
 *
 * Observation: p, v. Actions: 0 left, 1 none, 2 right. Reward -1 a step; the episode terminates at p = 0.5 or beyond
 * with at least the goal's velocity.
 */
public final class MountainCar extends HillCar {
    private static final double GOAL = 0.5;

    public MountainCar() {
        this(0);
    }

    /** @param goalVelocity the minimum velocity at the goal */
    public MountainCar(double goalVelocity) {
        super("MountainCar-v0", new Discrete(3), GOAL, goalVelocity);
    }

    @Override
    protected void act(float[] action, int at) {
        velocity += ((int) action[at] - 1) * 0.001 + Math.cos(3 * position) * -0.0025;
        velocity = Math.min(Math.max(velocity, -FASTEST), FASTEST);
        position = Math.min(Math.max(position + velocity, LEFTMOST), RIGHTMOST);
        if (position == LEFTMOST && velocity < 0) {
            velocity = 0;
        }
        outcome(-1, position >= GOAL && velocity >= goalVelocity);
    }
}
