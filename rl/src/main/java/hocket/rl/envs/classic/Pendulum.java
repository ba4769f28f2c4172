package hocket.rl.envs.classic;

import hocket.rl.envs.Canvas;
import hocket.rl.envs.EpisodicEnvironment;
import hocket.rl.envs.StateArrays;
import hocket.rl.spaces.Box;
import hocket.schedulers.state.State;
import java.awt.Graphics2D;
import java.util.Locale;

/**
 * The task of swinging up a pendulum and holding it: Gymnasium's {@code Pendulum-v1}.
 *
 * <p>State: angle θ from upright in [-π, π) and angular velocity θ' in [-1, 1) at the start. Length and mass are 1;
 * with torque u, clipped to [-2, 2]:
 *
 * <pre>
 * reward = -(wrapped(θ)^2 + 0.1 θ'^2 + 0.001 u^2), of the state before the step
 * θ' ← clip(θ' + (3/2 g sin θ + 3 u) 0.05, ±8)
 * θ  ← θ + 0.05 θ'
 * </pre>
 *
 * Observation: cos θ, sin θ, θ'. It never terminates. Terms of u alone are computed in single precision, as by NumPy 2.
 */
public final class Pendulum extends EpisodicEnvironment {
    private static final double FASTEST = 8;
    private static final float STRONGEST = 2;
    private static final double SECONDS = 0.05;
    private static final double TURN = 2 * Math.PI;

    private final double gravity;
    private double angle;
    private double spin;

    public Pendulum() {
        this(10);
    }

    /** @param gravity g */
    public Pendulum(double gravity) {
        super("Pendulum-v1", Box.symmetric(1, 1, (float) FASTEST), Box.symmetric(STRONGEST));
        this.gravity = gravity;
    }

    @Override
    protected void begin() {
        angle = random().uniform(-Math.PI, Math.PI);
        spin = random().uniform(-1, 1);
    }

    @Override
    protected void act(float[] action, int at) {
        float torque = Math.min(Math.max(action[at], -STRONGEST), STRONGEST);
        double off = wrapped(angle);
        double cost = off * off + 0.1 * (spin * spin) + 0.001f * (torque * torque);
        double faster = 3 * gravity / 2 * Math.sin(angle) + 3.0f * torque;
        spin = Math.min(Math.max(spin + faster * SECONDS, -FASTEST), FASTEST);
        angle += spin * SECONDS;
        outcome(-cost, false);
    }

    /** Wraps an angle to [-π, π). */
    private static double wrapped(double angle) {
        double rest = (angle + Math.PI) % TURN;
        return (rest < 0 ? rest + TURN : rest) - Math.PI;
    }

    @Override
    public void observe(float[] into, int at) {
        into[at] = (float) Math.cos(angle);
        into[at + 1] = (float) Math.sin(angle);
        into[at + 2] = (float) spin;
    }

    @Override
    public String text() {
        return String.format(Locale.ROOT, "angle %.1f° from upright, %.2f rad/s", Math.toDegrees(wrapped(angle)), spin);
    }

    /** Draws the pendulum; positive angles turn counter-clockwise. */
    @Override
    public void draw(Graphics2D graphics, int width, int height) {
        Canvas canvas = new Canvas(graphics, width, height, -1.3, 1.3, -1.3, 1.3);
        canvas.line(0, 0, -Math.sin(angle), Math.cos(angle), 0.18, Canvas.AGENT);
        canvas.disc(0, 0, 0.05, Canvas.INK);
    }

    @Override
    protected State saveOwnState() {
        return State.empty().with("state", StateArrays.tensor(angle, spin));
    }

    @Override
    protected void restoreOwnState(State state) {
        double[] saved = StateArrays.read(state, "state", 2);
        angle = saved[0];
        spin = saved[1];
    }
}
