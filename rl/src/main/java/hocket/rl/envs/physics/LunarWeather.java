package hocket.rl.envs.physics;

/**
 * The gravity and the wind of a {@link LunarLander}.
 *
 * @param gravity the vertical acceleration, above -12 and below 0
 * @param wind whether there is wind
 * @param windPower the largest force of the wind, 0 to 20
 * @param turbulencePower the largest torque of the wind, 0 to 2
 */
public record LunarWeather(double gravity, boolean wind, double windPower, double turbulencePower) {
    private static final double STRONGEST_GRAVITY = 12;
    private static final double STRONGEST_WIND = 20;
    private static final double STRONGEST_TURBULENCE = 2;

    /** @throws IllegalArgumentException if a number is outside its range */
    public LunarWeather {
        if (!(gravity > -STRONGEST_GRAVITY && gravity < 0)) {
            throw new IllegalArgumentException("LunarLander: gravity must be above -12 and below 0, was " + gravity);
        }
        if (!(windPower >= 0 && windPower <= STRONGEST_WIND)) {
            throw new IllegalArgumentException("LunarLander: wind_power must be 0 to 20, was " + windPower);
        }
        if (!(turbulencePower >= 0 && turbulencePower <= STRONGEST_TURBULENCE)) {
            throw new IllegalArgumentException("LunarLander: turbulence_power must be 0 to 2, was " + turbulencePower);
        }
    }

    /** Gravity -10 without wind. */
    public static LunarWeather calm() {
        return new LunarWeather(-10, false, 15, 1.5);
    }
}
