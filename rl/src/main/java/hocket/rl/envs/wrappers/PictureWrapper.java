package hocket.rl.envs.wrappers;

import hocket.rl.envs.Environment;
import hocket.rl.envs.ForwardingEnvironment;
import hocket.rl.spaces.Box;
import hocket.rl.spaces.Space;
import hocket.scopes.Shape;
import java.util.Arrays;

/**
 * A wrapper that changes pictures with the same bounds for all numbers; those of whole numbers 0 to 255 are of whole numbers
 * afterwards, too.
 */
abstract class PictureWrapper extends ForwardingEnvironment {
    private final Box seen;
    private final boolean isOfBytes;
    private final float[] before;
    private final float[] after;

    /**
     * Wraps an environment.
     *
     * @param changed the pictures' new shape
     */
    PictureWrapper(Environment inner, Shape changed) {
        super(inner);
        Box box = picture(inner);
        isOfBytes = box.isBytes() && box.spansBytes();
        before = new float[box.width()];
        after = new float[changed.size()];
        Box alike = box.arranged(changed, i -> 0);
        seen = isOfBytes ? alike : alike.real();
    }

    /**
     * Returns the space of an environment's pictures, (height, width), (height, width, channels) or (channels, height, width).
     *
     * @throws IllegalArgumentException if its observations are none, or their numbers have different bounds
     */
    static Box picture(Environment inner) {
        Box box = BoxSpaces.require(inner, inner.observations(), "pictures");
        boolean isAlike = true;
        for (int i = 1; i < box.width(); i++) {
            isAlike &= box.low(i) == box.low(0) && box.high(i) == box.high(0);
        }
        int rank = box.shape().rank();
        if (rank < 2 || rank > 3 || !isAlike) {
            throw new IllegalArgumentException(inner.name()
                    + ": pictures must have two or three axes and the same bounds for all numbers, observations are "
                    + box);
        }
        return box;
    }

    /** Computes the new picture. */
    abstract void change(float[] before, float[] after);

    /** Returns whether numbers are whole, as those of bytes. */
    final boolean isOfBytes() {
        return isOfBytes;
    }

    @Override
    public final Space observations() {
        return seen;
    }

    @Override
    public final void observe(float[] into, int at) {
        Arrays.fill(before, Float.NaN); // marks elements that are not written
        inner().observe(before, 0);
        change(before, after);
        System.arraycopy(after, 0, into, at, after.length);
    }
}
