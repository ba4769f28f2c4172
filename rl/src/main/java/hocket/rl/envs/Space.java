package hocket.rl.envs;

/**
 * What observations or actions may be. A point of it lies in a flat array of floats, {@link #width} of them; a whole
 * number is the float of that value.
 */
public sealed interface Space permits Box, Discrete, MultiDiscrete, MultiBinary {
    /** How many floats a point takes. */
    int width();

    /**
     * A random point, the one that {@code gymnasium.spaces} draws from a space seeded like this generator.
     *
     * @param into where to
     * @param at the index of the point's first float
     */
    void sample(Pcg64 random, float[] into, int at);

    /** A random point. */
    default float[] sample(Pcg64 random) {
        float[] point = new float[width()];
        sample(random, point, 0);
        return point;
    }

    /** Whether the floats from an index on are a point of this space. NaN never is. */
    boolean contains(float[] values, int at);
}
