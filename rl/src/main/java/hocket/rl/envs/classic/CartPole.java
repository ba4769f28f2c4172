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
 * The task of balancing a pole on a cart that is pushed left or right (Barto, Sutton and Anderson 1983): Gymnasium's
 * {@code CartPole-v1}.
 *
 * <p>State: position x, velocity x', angle θ from upright, angular velocity θ', each in (-0.05, 0.05) at the start.
 * With force F = ±10, g = 9.8, cart 1, pole m = 0.1, M = 1.1 in all, l = 0.5 half the pole's length:
 *
 * <pre>
 * t   = (F + m l θ'^2 sin θ) / M
 * θ'' = (g sin θ - t cos θ) / (l (4/3 - m cos^2 θ / M))
 * x'' = t - m l θ'' cos θ / M
 * </pre>
 *
 * integrated by Euler's method, 0.02 s a step. Observation: x, x', θ, θ'. Actions: 0 left, 1 right. Reward 1 a step;
 * the episode terminates beyond |x| = 2.4 or |θ| = 12°.
 */
public final class CartPole extends EpisodicEnvironment {
    private static final double GRAVITY = 9.8;
    private static final double POLE_MASS = 0.1;
    private static final double TOTAL_MASS = POLE_MASS + 1.0;
    private static final double LENGTH = 0.5;
    private static final double POLE_MASS_LENGTH = POLE_MASS * LENGTH;
    private static final double FORCE = 10;
    private static final double SECONDS = 0.02;
    private static final double FARTHEST = 2.4;
    private static final double STEEPEST = 12 * 2 * Math.PI / 360;

    private final boolean suttonBartoReward;
    private double x;
    private double speed;
    private double angle;
    private double spin;

    public CartPole() {
        this(false);
    }

    /**
     * @param suttonBartoReward whether the reward is 0 a step and -1 in the step that terminates, as in the original
     *     paper
     */
    public CartPole(boolean suttonBartoReward) {
        super(
                "CartPole-v1",
                Box.symmetric(
                        (float) (FARTHEST * 2),
                        Float.POSITIVE_INFINITY,
                        (float) (STEEPEST * 2),
                        Float.POSITIVE_INFINITY),
                new Discrete(2));
        this.suttonBartoReward = suttonBartoReward;
    }

    @Override
    protected void begin() {
        x = random().uniform(-0.05, 0.05);
        speed = random().uniform(-0.05, 0.05);
        angle = random().uniform(-0.05, 0.05);
        spin = random().uniform(-0.05, 0.05);
    }

    @Override
    protected void act(float[] action, int at) {
        double force = action[at] == 1 ? FORCE : -FORCE;
        double cos = Math.cos(angle);
        double sin = Math.sin(angle);
        double push = (force + POLE_MASS_LENGTH * (spin * spin) * sin) / TOTAL_MASS;
        double spinning = (GRAVITY * sin - cos * push) / (LENGTH * (4.0 / 3.0 - POLE_MASS * (cos * cos) / TOTAL_MASS));
        double speeding = push - POLE_MASS_LENGTH * spinning * cos / TOTAL_MASS;
        x += SECONDS * speed;
        speed += SECONDS * speeding;
        angle += SECONDS * spin;
        spin += SECONDS * spinning;
        boolean fallen = x < -FARTHEST || x > FARTHEST || angle < -STEEPEST || angle > STEEPEST;
        double reward = fallen ? -1 : 0;
        outcome(suttonBartoReward ? reward : 1, fallen);
    }

    @Override
    public void observe(float[] into, int at) {
        into[at] = (float) x;
        into[at + 1] = (float) speed;
        into[at + 2] = (float) angle;
        into[at + 3] = (float) spin;
    }

    @Override
    public String text() {
        return String.format(
                Locale.ROOT,
                "x %.3f, x' %.3f, angle %.2f°, %.2f°/s",
                x,
                speed,
                Math.toDegrees(angle),
                Math.toDegrees(spin));
    }

    @Override
    public void draw(Graphics2D graphics, int width, int height) {
        Canvas canvas = new Canvas(graphics, width, height, -FARTHEST - 0.3, FARTHEST + 0.3, -0.6, 1.8);
        double axle = 0.3;
        canvas.line(-FARTHEST, 0, FARTHEST, 0, 0.02, Canvas.INK);
        canvas.line(-FARTHEST, -0.05, -FARTHEST, 0.05, 0.02, Canvas.AGENT);
        canvas.line(FARTHEST, -0.05, FARTHEST, 0.05, 0.02, Canvas.AGENT);
        canvas.box(x - 0.25, 0.02, x + 0.25, axle, Canvas.INK);
        canvas.line(x, axle, x + 2 * LENGTH * Math.sin(angle), axle + 2 * LENGTH * Math.cos(angle), 0.1, Canvas.WOOD);
        canvas.disc(x, axle, 0.05, Canvas.METAL);
    }

    @Override
    protected State saveOwnState() {
        return State.empty().with("state", StateArrays.tensor(x, speed, angle, spin));
    }

    @Override
    protected void restoreOwnState(State state) {
        double[] saved = StateArrays.read(state, "state", 4);
        x = saved[0];
        speed = saved[1];
        angle = saved[2];
        spin = saved[3];
    }
}
