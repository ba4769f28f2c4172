package hocket.rl.envs;

import hocket.schedulers.State;
import java.awt.Graphics2D;
import java.util.Locale;

/**
 * Two links in a chain, the upper one fixed, torque on the joint between (Sutton 1996), as Gymnasium's
 * {@code Acrobot-v1} with the equations of Sutton and Barto's book.
 *
 * <p>State: θ1 from hanging down, θ2 relative to it, and their speeds, each in [-0.1, 0.1) at the start. Links of length
 * and mass 1 with their centres at 1/2 and moments of inertia 1, g = 9.8, torque τ:
 *
 * <pre>
 * d1   = 1/4 + (1 + 1/4 + cos θ2) + 2            d2 = 1/4 + cos θ2 / 2 + 1
 * φ2   = g/2 cos(θ1 + θ2 - π/2)
 * φ1   = -θ2'^2 sin θ2 / 2 - θ1' θ2' sin θ2 + 3/2 g cos(θ1 - π/2) + φ2
 * θ2'' = (τ + d2/d1 φ1 - θ1'^2 sin θ2 / 2 - φ2) / (1/4 + 1 - d2^2/d1)
 * θ1'' = -(d2 θ2'' + φ1) / d1
 * </pre>
 *
 * integrated by Runge and Kutta's fourth-order method, 0.2 s a step; speeds are cut at 4π and 9π. Observed: cos θ1,
 * sin θ1, cos θ2, sin θ2, θ1', θ2'. Actions: torque -1, 0, 1. Reward -1 a step, 0 in the last; the episode terminates
 * when the tip is a link above the fixed end: -cos θ1 - cos(θ1 + θ2) &gt; 1.
 */
public final class Acrobot extends Episodic {
    private static final double SECONDS = 0.2;
    private static final double GRAVITY = 9.8;
    private static final double FASTEST_UPPER = 4 * Math.PI;
    private static final double FASTEST_LOWER = 9 * Math.PI;

    private final double[] state = new double[4];
    private final double[] reached = new double[4];
    private final double[] k1 = new double[4];
    private final double[] k2 = new double[4];
    private final double[] k3 = new double[4];
    private final double[] k4 = new double[4];

    public Acrobot() {
        super("Acrobot-v1", Box.symmetric(1, 1, 1, 1, (float) FASTEST_UPPER, (float) FASTEST_LOWER), new Discrete(3));
    }

    /** Gymnasium starts in single precision and goes on in double. */
    @Override
    protected void begin() {
        for (int i = 0; i < state.length; i++) {
            state[i] = (float) random().uniform(-0.1, 0.1);
        }
    }

    @Override
    protected void act(float[] action, int at) {
        double torque = action[at] - 1;
        slope(state, torque, k1);
        along(k1, SECONDS / 2);
        slope(reached, torque, k2);
        along(k2, SECONDS / 2);
        slope(reached, torque, k3);
        along(k3, SECONDS);
        slope(reached, torque, k4);
        for (int i = 0; i < state.length; i++) {
            state[i] += SECONDS / 6.0 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
        }
        state[0] = turned(state[0]);
        state[1] = turned(state[1]);
        state[2] = Math.min(Math.max(state[2], -FASTEST_UPPER), FASTEST_UPPER);
        state[3] = Math.min(Math.max(state[3], -FASTEST_LOWER), FASTEST_LOWER);
        boolean up = -Math.cos(state[0]) - Math.cos(state[1] + state[0]) > 1;
        outcome(up ? 0 : -1, up);
    }

    private void along(double[] slope, double seconds) {
        for (int i = 0; i < state.length; i++) {
            reached[i] = state[i] + seconds * slope[i];
        }
    }

    private static void slope(double[] from, double torque, double[] into) {
        double cos2 = Math.cos(from[1]);
        double sin2 = Math.sin(from[1]);
        double speed1 = from[2];
        double speed2 = from[3];
        double d1 = 0.25 + (1.25 + cos2) + 1 + 1;
        double d2 = 0.25 + 0.5 * cos2 + 1;
        double phi2 = 0.5 * GRAVITY * Math.cos(from[0] + from[1] - Math.PI / 2);
        double phi1 = -0.5 * (speed2 * speed2) * sin2
                - speed2 * speed1 * sin2
                + 1.5 * GRAVITY * Math.cos(from[0] - Math.PI / 2)
                + phi2;
        double faster2 = (torque + d2 / d1 * phi1 - 0.5 * (speed1 * speed1) * sin2 - phi2) / (1.25 - d2 * d2 / d1);
        into[0] = speed1;
        into[1] = speed2;
        into[2] = -(d2 * faster2 + phi1) / d1;
        into[3] = faster2;
    }

    /** The same angle in [-π, π], a turn at a time as Gymnasium rounds it. */
    private static double turned(double angle) {
        double turned = angle;
        while (turned > Math.PI) {
            turned -= 2 * Math.PI;
        }
        while (turned < -Math.PI) {
            turned += 2 * Math.PI;
        }
        return turned;
    }

    @Override
    public void observe(float[] into, int at) {
        into[at] = (float) Math.cos(state[0]);
        into[at + 1] = (float) Math.sin(state[0]);
        into[at + 2] = (float) Math.cos(state[1]);
        into[at + 3] = (float) Math.sin(state[1]);
        into[at + 4] = (float) state[2];
        into[at + 5] = (float) state[3];
    }

    @Override
    public String text() {
        return String.format(
                Locale.ROOT,
                "upper %.1f°, %.2f rad/s, lower %.1f°, %.2f rad/s, tip at %.3f",
                Math.toDegrees(state[0]),
                state[2],
                Math.toDegrees(state[1]),
                state[3],
                -Math.cos(state[0]) - Math.cos(state[0] + state[1]));
    }

    @Override
    public void draw(Graphics2D graphics, int width, int height) {
        Canvas canvas = new Canvas(graphics, width, height, -2.3, 2.3, -2.3, 2.3);
        double x = Math.sin(state[0]);
        double y = -Math.cos(state[0]);
        canvas.line(-2.3, 1, 2.3, 1, 0.02, Canvas.GOAL);
        canvas.line(0, 0, x, y, 0.16, Canvas.METAL);
        canvas.line(x, y, x + Math.sin(state[0] + state[1]), y - Math.cos(state[0] + state[1]), 0.16, Canvas.WOOD);
        canvas.disc(0, 0, 0.1, Canvas.INK);
        canvas.disc(x, y, 0.1, Canvas.INK);
    }

    @Override
    protected State saveWorld() {
        return State.empty().with("state", Points.saved(state));
    }

    @Override
    protected void restoreWorld(State saved) {
        Points.restore(saved, "state", state);
    }
}
