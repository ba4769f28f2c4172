package hocket.rl.envs.classic;

import hocket.rl.envs.Canvas;
import hocket.rl.envs.EpisodicEnvironment;
import hocket.rl.envs.StateArrays;
import hocket.rl.spaces.Box;
import hocket.rl.spaces.Discrete;
import hocket.schedulers.state.State;
import java.awt.Graphics2D;
import java.util.Locale;

/**
 * A chain of two links that hangs from a fixed end and is swung up by torque on the joint between them (Sutton 1996):
 * Gymnasium's {@code Acrobot-v1} with the equations of Sutton and Barto's book.
 *
 * <p>State: θ1 from hanging down, θ2 relative to it, and their speeds, each in [-0.1, 0.1) at the start. Links of
 * length and mass 1 with their centres at 1/2 and moments of inertia 1, g = 9.8, torque τ:
 *
 * <pre>
 * d1   = 1/4 + (1 + 1/4 + cos θ2) + 2            d2 = 1/4 + cos θ2 / 2 + 1
 * φ2   = g/2 cos(θ1 + θ2 - π/2)
 * φ1   = -θ2'^2 sin θ2 / 2 - θ1' θ2' sin θ2 + 3/2 g cos(θ1 - π/2) + φ2
 * θ2'' = (τ + d2/d1 φ1 - θ1'^2 sin θ2 / 2 - φ2) / (1/4 + 1 - d2^2/d1)
 * θ1'' = -(d2 θ2'' + φ1) / d1
 * </pre>
 *
 * integrated by Runge and Kutta's fourth-order method, 0.2 s a step; speeds are clipped at 4π and 9π. Observation: cos
 * θ1, sin θ1, cos θ2, sin θ2, θ1', θ2'. Actions: torque -1, 0, 1. Reward -1 a step, 0 in the last; the episode
 * terminates when the tip is a link above the fixed end: -cos θ1 - cos(θ1 + θ2) &gt; 1.
 */
public final class Acrobot extends EpisodicEnvironment {
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

    /** Draws the start in single precision and continues in double, as Gymnasium. */
    @Override
    protected void begin() {
        for (int i = 0; i < state.length; i++) {
            state[i] = (float) random().uniform(-0.1, 0.1);
        }
    }

    @Override
    protected void act(float[] action, int at) {
        double torque = action[at] - 1;
        derivative(state, torque, k1);
        along(k1, SECONDS / 2);
        derivative(reached, torque, k2);
        along(k2, SECONDS / 2);
        derivative(reached, torque, k3);
        along(k3, SECONDS);
        derivative(reached, torque, k4);
        for (int i = 0; i < state.length; i++) {
            state[i] += SECONDS / 6.0 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
        }
        state[0] = wrapped(state[0]);
        state[1] = wrapped(state[1]);
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

    private static void derivative(double[] from, double torque, double[] into) {
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

    /** Wraps an angle to [-π, π] one turn at a time, which rounds as Gymnasium does. */
    private static double wrapped(double angle) {
        double wrapped = angle;
        while (wrapped > Math.PI) {
            wrapped -= 2 * Math.PI;
        }
        while (wrapped < -Math.PI) {
            wrapped += 2 * Math.PI;
        }
        return wrapped;
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
    protected State saveOwnState() {
        return State.empty().with("state", StateArrays.tensor(state));
    }

    @Override
    protected void restoreOwnState(State saved) {
        StateArrays.read(saved, "state", state);
    }
}
