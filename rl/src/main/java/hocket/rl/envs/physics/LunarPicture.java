package hocket.rl.envs.physics;

import hocket.rl.envs.Canvas;
import java.awt.Color;
import java.awt.Graphics2D;
import java.util.Arrays;
import org.dyn4j.geometry.Transform;
import org.dyn4j.geometry.Vector2;

/** Draws a {@link LunarLander}: the ground, the pad between two flags, the lander, its legs and the flames of its engines. */
final class LunarPicture {
    private static final Color GROUND = new Color(0xb9b4ac);
    private static final Color FLAME = new Color(0xf08a24);
    private static final double FLAG_HEIGHT = 50 * LunarBodies.UNIT;
    private static final double FLAG_WIDTH = 25 * LunarBodies.UNIT;
    private static final double FLAG_DROP = 10 * LunarBodies.UNIT;
    private static final double POLE = 0.06;
    private static final double BOTTOM = -10 * LunarBodies.UNIT;
    private static final double NOZZLE = 6 * LunarBodies.UNIT;
    private static final double MAIN_FLAME = 1.2;
    private static final double SIDE_FLAME = 0.6;
    private static final double SIDE_X = 16 * LunarBodies.UNIT;
    private static final double SIDE_Y = 12 * LunarBodies.UNIT;
    private static final double SIDE_NOZZLE = 3 * LunarBodies.UNIT;

    private LunarPicture() {}

    static void draw(LunarFlight flight, Graphics2D graphics, int width, int height) {
        Canvas canvas = new Canvas(graphics, width, height, 0, LunarTerrain.WIDTH, 0, LunarTerrain.HEIGHT);
        ground(canvas, flight.terrain);
        Transform pose = flight.bodies.landerPose();
        flames(canvas, flight, pose);
        for (int leg = 0; leg < 2; leg++) {
            shape(canvas, flight.bodies.legPose(leg), leg(), Canvas.WOOD);
        }
        shape(canvas, pose, LunarBodies.hull(), Canvas.METAL);
        flag(canvas, flight.terrain, flight.terrain.padLeft());
        flag(canvas, flight.terrain, flight.terrain.padRight());
    }

    private static void ground(Canvas canvas, LunarTerrain terrain) {
        int points = terrain.xs.length;
        double[] xs = Arrays.copyOf(terrain.xs, points + 2);
        double[] ys = Arrays.copyOf(terrain.ys, points + 2);
        xs[points] = LunarTerrain.WIDTH;
        canvas.polygon(xs, ys, GROUND);
        canvas.curve(terrain.xs, terrain.ys, POLE, Canvas.INK);
    }

    private static void flag(Canvas canvas, LunarTerrain terrain, double x) {
        double foot = terrain.padHeight();
        double top = foot + FLAG_HEIGHT;
        canvas.line(x, foot, x, top, POLE, Canvas.INK);
        canvas.polygon(
                new double[] {x, x, x + FLAG_WIDTH},
                new double[] {top, top - FLAG_DROP, top - FLAG_DROP / 2},
                Canvas.GOAL);
    }

    private static void flames(Canvas canvas, LunarFlight flight, Transform pose) {
        if (flight.main() > 0) {
            double tip = BOTTOM - MAIN_FLAME * flight.main();
            shape(canvas, pose, triangle(-NOZZLE, BOTTOM, NOZZLE, BOTTOM, 0, tip), FLAME);
        }
        if (flight.side() != 0) {
            double root = -Math.signum(flight.side()) * SIDE_X;
            double tip = root - SIDE_FLAME * flight.side();
            double[] at = {root, SIDE_Y - SIDE_NOZZLE, root, SIDE_Y + SIDE_NOZZLE, tip, SIDE_Y};
            shape(canvas, pose, triangle(at), FLAME);
        }
    }

    private static Vector2[] leg() {
        double x = LunarBodies.LEG_HALF_WIDTH;
        double y = LunarBodies.LEG_HALF_HEIGHT;
        return new Vector2[] {new Vector2(-x, -y), new Vector2(x, -y), new Vector2(x, y), new Vector2(-x, y)};
    }

    private static Vector2[] triangle(double... at) {
        return new Vector2[] {new Vector2(at[0], at[1]), new Vector2(at[2], at[3]), new Vector2(at[4], at[5])};
    }

    private static void shape(Canvas canvas, Transform pose, Vector2[] corners, Color color) {
        double[] xs = new double[corners.length];
        double[] ys = new double[corners.length];
        for (int i = 0; i < corners.length; i++) {
            Vector2 corner = pose.getTransformed(corners[i]);
            xs[i] = corner.x;
            ys[i] = corner.y;
        }
        canvas.polygon(xs, ys, color);
    }
}
