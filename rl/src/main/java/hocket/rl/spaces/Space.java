package hocket.rl.spaces;

import hocket.rl.random.Pcg64;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import java.util.Arrays;

/**
 * A set of valid observations or actions. A point of a space is {@link #width} consecutive floats of an array; a whole
 * number is the float of that value.
 */
public sealed interface Space permits Box, Discrete, MultiDiscrete, MultiBinary {
    /** The number of floats of a point. */
    int width();

    /** The shape of a point in a program: () of one whole number, that of a box, else one axis. */
    default Shape shape() {
        return Shape.of(width());
    }

    /** The shape of an action in a program: {@link #shape}, its axes joined to one where there are several. */
    default Shape actionShape() {
        return shape().rank() > 1 ? Shape.of(width()) : shape();
    }

    /**
     * The numbers of a mask of actions, one for each alternative, those of each choice one after the other; 0 of a space that
     * has no alternatives to forbid.
     */
    default int maskWidth() {
        return 0;
    }

    /** Returns whether each number of a point is a whole one of 0 to 255, which a byte holds. */
    default boolean isBytes() {
        return false;
    }

    /** The type of a point in a program: INT64 of whole numbers, which are indices from 0; else FLOAT32. */
    default ElementType type() {
        return ElementType.FLOAT32;
    }

    /**
     * Draws the random point that {@code gymnasium.spaces} draws from a space seeded like this generator.
     *
     * @param into the array that takes the point
     * @param at the index of the point's first float
     */
    void sample(Pcg64 random, float[] into, int at);

    /** Draws a random point. */
    default float[] sample(Pcg64 random) {
        float[] point = new float[width()];
        sample(random, point, 0);
        return point;
    }

    /** Returns whether the floats from an index on are a point of this space; NaN never is. */
    boolean contains(float[] values, int at);

    /** The point at an index as text, for messages: {@code 3}, {@code [0.5, NaN]}. */
    default String text(float[] values, int at) {
        return Arrays.toString(Arrays.copyOfRange(values, at, at + width()));
    }
}
