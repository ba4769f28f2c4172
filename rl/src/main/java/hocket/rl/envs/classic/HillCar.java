package hocket.rl.envs.classic;

import hocket.rl.envs.Canvas;
import hocket.rl.envs.EpisodicEnvironment;
import hocket.rl.envs.StateArrays;
import hocket.rl.spaces.Box;
import hocket.rl.spaces.Space;
import hocket.schedulers.state.State;
import java.awt.Graphics2D;
import java.util.Locale;

/** A car between hills, too weak to drive straight up. */
abstract sealed class HillCar extends EpisodicEnvironment permits MountainCar, MountainCarContinuous {
    static final double LEFTMOST = -1.2;
    static final double RIGHTMOST = 0.6;
    static final double FASTEST = 0.07;

    final double goalVelocity;
    double position;
    double velocity;
    private final double goal;

    HillCar(String name, Space actions, double goal, double goalVelocity) {
        super(
                name,
                new Box(
                        new float[] {(float) LEFTMOST, (float) -FASTEST},
                        new float[] {(float) RIGHTMOST, (float) FASTEST}),
                actions);
        this.goal = goal;
        this.goalVelocity = goalVelocity;
    }

    @Override
    protected void begin() {
        position = random().uniform(-0.6, -0.4);
        velocity = 0;
    }

    @Override
    public void observe(float[] into, int at) {
        into[at] = (float) position;
        into[at + 1] = (float) velocity;
    }

    @Override
    public String text() {
        return String.format(Locale.ROOT, "position %.4f, velocity %.4f", position, velocity);
    }

    /** Draws the hill as sin 3p, less steep than it acts. */
    @Override
    public void draw(Graphics2D graphics, int width, int height) {
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
