package hocket.rl.envs.physics;

import hocket.rl.random.Pcg64;

/** One episode of a {@link LunarLander}: its ground, its bodies, what the engines and the wind do, and the reward. */
final class LunarFlight {
    static final int OBSERVED = 8;

    private static final double MAIN_POWER = 13;
    private static final double SIDE_POWER = 0.6;
    private static final double MAIN_DOWN = 4 * LunarBodies.UNIT;
    private static final double SIDE_AWAY = 12 * LunarBodies.UNIT;
    private static final double SIDE_UP_X = 17 * LunarBodies.UNIT;
    private static final double SIDE_UP_Y = 14 * LunarBodies.UNIT;
    private static final double START_FORCE = 1000;
    private static final double MAIN_COST = 0.3;
    private static final double SIDE_COST = 0.03;
    private static final int WIND_START = 9999;

    final LunarTerrain terrain;
    final LunarBodies bodies;
    final double[] observed = new double[OBSERVED];
    private final LunarWeather weather;
    private double main;
    private double side;
    private long windTime;
    private long turbulenceTime;
    private double shaping;
    private double reward;
    private boolean isOver;

    /** Begins an episode: draws its ground, its first push and its wind, and takes a step without engines, as Gymnasium. */
    LunarFlight(LunarWeather weather, Pcg64 random) {
        this.weather = weather;
        terrain = new LunarTerrain(random);
        bodies = new LunarBodies(terrain, weather.gravity());
        bodies.push(random.uniform(-START_FORCE, START_FORCE), random.uniform(-START_FORCE, START_FORCE));
        if (weather.wind()) {
            windTime = random.integers(-WIND_START, WIND_START);
            turbulenceTime = random.integers(-WIND_START, WIND_START);
        }
        step(random, 0, 0);
    }

    /**
     * Takes a step.
     *
     * @param random draws how the engines are perturbed
     * @param main the power of the main engine: 0, or 0.5 to 1
     * @param side the power of an orientation engine, negative for the left one: 0, or 0.5 to 1 in magnitude
     */
    void step(Pcg64 random, double main, double side) {
        this.main = main;
        this.side = side;
        if (weather.wind() && !bodies.touches(0) && !bodies.touches(1)) {
            bodies.push(gust(windTime++) * weather.windPower(), 0);
            bodies.turn(gust(turbulenceTime++) * weather.turbulencePower());
        }
        double upX = Math.sin(bodies.angle());
        double upY = Math.cos(bodies.angle());
        double along = random.uniform(-1, 1) * LunarBodies.UNIT;
        double across = random.uniform(-1, 1) * LunarBodies.UNIT;
        if (main != 0) {
            double down = MAIN_DOWN + 2 * along;
            double x = upX * down - upY * across;
            double y = -upY * down - upX * across;
            double strength = -MAIN_POWER * main;
            bodies.kick(x * strength, y * strength, bodies.x() + x, bodies.y() + y);
        }
        if (side != 0) {
            double away = 3 * across + Math.signum(side) * SIDE_AWAY;
            double x = upX * along - upY * away;
            double y = -upY * along - upX * away;
            double strength = -SIDE_POWER * Math.abs(side);
            bodies.kick(x * strength, y * strength, bodies.x() + x - upX * SIDE_UP_X, bodies.y() + y + upY * SIDE_UP_Y);
        }
        bodies.step();
        observe();
        score();
    }

    /** The wind at a time, in (-1, 1), without a period. */
    private static double gust(long time) {
        return Math.tanh(Math.sin(0.02 * time) + Math.sin(Math.PI * 0.01 * time));
    }

    private void observe() {
        double halfWidth = LunarTerrain.WIDTH / 2;
        double halfHeight = LunarTerrain.HEIGHT / 2;
        observed[0] = (bodies.x() - halfWidth) / halfWidth;
        observed[1] = (bodies.y() - (LunarTerrain.PAD + LunarBodies.LEG_DOWN)) / halfHeight;
        observed[2] = bodies.velocityX() * halfWidth * LunarBodies.SECONDS;
        observed[3] = bodies.velocityY() * halfHeight * LunarBodies.SECONDS;
        observed[4] = bodies.angle();
        observed[5] = 20 * bodies.spin() * LunarBodies.SECONDS;
        observed[6] = bodies.touches(0) ? 1 : 0;
        observed[7] = bodies.touches(1) ? 1 : 0;
    }

    private void score() {
        double now = -100 * Math.sqrt(observed[0] * observed[0] + observed[1] * observed[1])
                - 100 * Math.sqrt(observed[2] * observed[2] + observed[3] * observed[3])
                - 100 * Math.abs(observed[4])
                + 10 * observed[6]
                + 10 * observed[7];
        reward = now - shaping - main * MAIN_COST - Math.abs(side) * SIDE_COST;
        shaping = now;
        if (bodies.crashed() || Math.abs(observed[0]) >= 1) {
            isOver = true;
            reward = -100;
        }
        if (bodies.rests()) {
            isOver = true;
            reward = 100;
        }
    }

    double reward() {
        return reward;
    }

    boolean isOver() {
        return isOver;
    }

    /** The power of the main engine in the last step. */
    double main() {
        return main;
    }

    /** The power of an orientation engine in the last step, negative for the left one. */
    double side() {
        return side;
    }
}
