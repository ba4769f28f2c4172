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
public final class MountainCar extends EpisodicEnvironment {
    static final double LEFTMOST = -1.2;
    static final double RIGHTMOST = 0.6;
    static final double FASTEST = 0.07;
    private static final double GOAL = 0.5;

    private final double goalVelocity;
    private double position;
    private double velocity;

    public MountainCar() {
        this(0);
    }

    /** @param goalVelocity the minimum velocity at the goal */
    public MountainCar(double goalVelocity) {
        super("MountainCar-v0", observed(), new Discrete(3));
        this.goalVelocity = goalVelocity;
    }

    static Box observed() {
        return new Box(
                new float[] {(float) LEFTMOST, (float) -FASTEST}, new float[] {(float) RIGHTMOST, (float) FASTEST});
    }

    @Override
    protected void begin() {
        position = random().uniform(-0.6, -0.4);
        velocity = 0;
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

    @Override
    public void observe(float[] into, int at) {
        into[at] = (float) position;
        into[at + 1] = (float) velocity;
    }

    @Override
    public String text() {
        return text(position, velocity);
    }

    static String text(double position, double velocity) {
        return String.format(Locale.ROOT, "position %.4f, velocity %.4f", position, velocity);
    }

    @Override
    public void draw(Graphics2D graphics, int width, int height) {
        draw(graphics, width, height, position, GOAL);
    }

    /** Draws the hill as sin 3p, less steep than it acts. */
    static void draw(Graphics2D graphics, int width, int height, double position, double goal) {
        Canvas canvas = new Canvas(graphics, width, height, LEFTMOST - 0.05, RIGHTMOST + 0.05, -0.05, 1.25);
        double[] xs = new double[100];
        double[] ys = new double[xs.length];
        for (int i = 0; i < xs.length; i++) {
            xs[i] = LEFTMOST + (RIGHTMOST - LEFTMOST) * i / (xs.length - 1);
            ys[i] = height(xs[i]);
        }
        canvas.curve(xs, ys, 0.008, Canvas.INK);
        canvas.line(goal, height(goal), goal, height(goal) + 0.15, 0.008, Canvas.INK);
        canvas.box(goal, height(goal) + 0.09, goal + 0.07, height(goal) + 0.15, Canvas.GOAL);
        double slope = Math.atan(0.45 * 3 * Math.cos(3 * position));
        double alongX = Math.cos(slope);
        double alongY = Math.sin(slope);
        double x = position - 0.035 * alongY;
        double y = height(position) + 0.035 * alongX;
        double bodyX = x - 0.02 * alongY;
        double bodyY = y + 0.02 * alongX;
        canvas.line(
                bodyX - 0.05 * alongX,
                bodyY - 0.05 * alongY,
                bodyX + 0.05 * alongX,
                bodyY + 0.05 * alongY,
                0.05,
                Canvas.AGENT);
        canvas.disc(x - 0.04 * alongX, y - 0.04 * alongY, 0.025, Canvas.INK);
        canvas.disc(x + 0.04 * alongX, y + 0.04 * alongY, 0.025, Canvas.INK);
    }

    private static double height(double position) {
        return 0.45 * Math.sin(3 * position) + 0.55;
    }

    @Override
    protected State saveOwnState() {
        return State.empty().with("state", StateArrays.tensor(position, velocity));
    }

    @Override
    protected void restoreOwnState(State state) {
        double[] saved = StateArrays.read(state, "state", 2);
        position = saved[0];
        velocity = saved[1];
    }
}
