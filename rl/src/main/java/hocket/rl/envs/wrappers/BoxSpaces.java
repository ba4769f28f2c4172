package hocket.rl.envs.wrappers;

import hocket.rl.envs.Environment;
import hocket.rl.spaces.Box;
import hocket.rl.spaces.Space;
import hocket.scopes.Shape;
import java.util.Arrays;

/** Box spaces that wrappers need: the wrapped environment's, and unbounded ones. */
final class BoxSpaces {
    private BoxSpaces() {}

    /**
     * Returns a space as a box.
     *
     * @param what names the observations or actions, for the message
     * @throws IllegalArgumentException if it is not a box
     */
    static Box require(Environment environment, Space space, String what) {
        if (space instanceof Box box) {
            return box;
        }
        throw new IllegalArgumentException(
                environment.name() + ": " + what + " must be of a box, they are of " + space);
    }

    /** A box of all real numbers. */
    static Box unbounded(Shape shape) {
        float[] high = new float[shape.size()];
        float[] low = new float[shape.size()];
        Arrays.fill(high, Float.POSITIVE_INFINITY);
        Arrays.fill(low, Float.NEGATIVE_INFINITY);
        return new Box(shape, low, high);
    }
}
