package hocket.rl.envs.physics;

import hocket.rl.random.Pcg64;

/** The ground of a {@link LunarLander}: a line over eleven points of random height, flat around the landing pad. */
final class LunarTerrain {
    static final double WIDTH = 20;
    static final double HEIGHT = 40.0 / 3;
    static final double PAD = HEIGHT / 4;

    private static final int POINTS = 11;
    private static final int MIDDLE = POINTS / 2;

    final double[] xs = new double[POINTS];
    final double[] ys = new double[POINTS];

    /** Draws the heights; each point is 0.33 times the sum of its own drawn height and its neighbours'. */
    LunarTerrain(Pcg64 random) {
        double[] drawn = new double[POINTS + 1];
        for (int i = 0; i < drawn.length; i++) {
            drawn[i] = random.uniform(0, HEIGHT / 2);
        }
        for (int i = MIDDLE - 2; i <= MIDDLE + 2; i++) {
            drawn[i] = PAD;
        }
        for (int i = 0; i < POINTS; i++) {
            xs[i] = WIDTH / (POINTS - 1) * i;
            ys[i] = 0.33 * (drawn[i == 0 ? POINTS : i - 1] + drawn[i] + drawn[i + 1]);
        }
    }

    /** The x of the pad's left flag. */
    double padLeft() {
        return xs[MIDDLE - 1];
    }

    /** The x of the pad's right flag. */
    double padRight() {
        return xs[MIDDLE + 1];
    }

    /** The height of the pad. */
    double padHeight() {
        return ys[MIDDLE];
    }

    /**
     * Returns the point that lies at a distance above both lines that meet in a point of the ground.
     *
     * @return x and y
     */
    double[] above(int point, double distance) {
        int before = Math.max(point - 1, 0);
        int after = Math.min(point + 1, POINTS - 1);
        double[] left = normal(before, before + 1);
        double[] right = normal(after - 1, after);
        double stretch = distance / (1 + left[0] * right[0] + left[1] * right[1]);
        return new double[] {xs[point] + (left[0] + right[0]) * stretch, ys[point] + (left[1] + right[1]) * stretch};
    }

    private double[] normal(int from, int to) {
        double x = xs[to] - xs[from];
        double y = ys[to] - ys[from];
        double length = Math.sqrt(x * x + y * y);
        return new double[] {-y / length, x / length};
    }
}
