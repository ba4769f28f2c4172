package hocket.rl.spaces;

import hocket.rl.random.Pcg64;
import hocket.scopes.Shape;
import java.util.Arrays;
import java.util.function.IntUnaryOperator;

/**
 * The space of arrays of real numbers, or of whole ones, each element between its own bounds, which may be infinite. Elements
 * are row-major.
 */
public final class Box implements Space {
    private static final float MOST_OF_BYTE = 255;

    /** The number of equal bounds that are still listed as text. */
    private static final int LISTED = 16;

    private final Shape shape;
    private final float[] low;
    private final float[] high;
    private final boolean isWhole;

    /**
     * A box of any shape.
     *
     * @throws IllegalArgumentException if there are not as many bounds as elements, or a lower bound is above its upper
     *     bound
     */
    public Box(Shape shape, float[] low, float[] high) {
        this(shape, low, high, false);
    }

    private Box(Shape shape, float[] low, float[] high, boolean isWhole) {
        if (low.length != shape.size() || high.length != shape.size()) {
            throw new IllegalArgumentException("a box of shape " + shape + " needs " + shape.size()
                    + " bounds on each side, got " + low.length + " and " + high.length);
        }
        for (int i = 0; i < low.length; i++) {
            if (!(low[i] <= high[i])) {
                throw new IllegalArgumentException(
                        "a box's low must be at most its high, at " + i + " were " + low[i] + " and " + high[i]);
            }
        }
        this.shape = shape;
        this.low = low.clone();
        this.high = high.clone();
        this.isWhole = isWhole;
    }

    /** A box of one axis. */
    public Box(float[] low, float[] high) {
        this(Shape.of(low.length), low, high);
    }

    /** A box of one axis with the same bounds everywhere. */
    public static Box of(int width, float low, float high) {
        float[] lows = new float[width];
        float[] highs = new float[width];
        Arrays.fill(lows, low);
        Arrays.fill(highs, high);
        return new Box(lows, highs);
    }

    /** A box of one axis whose lower bounds are minus its upper bounds. */
    public static Box symmetric(float... high) {
        float[] low = new float[high.length];
        for (int i = 0; i < low.length; i++) {
            low[i] = -high[i];
        }
        return new Box(low, high);
    }

    /** Returns the box of whole numbers between these bounds. */
    public Box whole() {
        return new Box(shape, low, high, true);
    }

    /** Returns the box of all real numbers between these bounds. */
    public Box real() {
        return new Box(shape, low, high, false);
    }

    /**
     * Returns a box with bounds of this one's elements, of whole numbers if this is.
     *
     * @param of of an element of the new box: which element of this one has its bounds
     */
    public Box arranged(Shape arranged, IntUnaryOperator of) {
        float[] lows = new float[arranged.size()];
        float[] highs = new float[arranged.size()];
        for (int i = 0; i < lows.length; i++) {
            lows[i] = low[of.applyAsInt(i)];
            highs[i] = high[of.applyAsInt(i)];
        }
        return new Box(arranged, lows, highs, isWhole);
    }

    /** Returns whether each element has the bounds 0 and 255, as in a picture of bytes. */
    public boolean spansBytes() {
        for (int i = 0; i < low.length; i++) {
            if (low[i] != 0 || high[i] != MOST_OF_BYTE) {
                return false;
            }
        }
        return true;
    }

    @Override
    public boolean isBytes() {
        boolean fits = isWhole;
        for (int i = 0; i < low.length; i++) {
            fits &= low[i] >= 0 && high[i] <= MOST_OF_BYTE;
        }
        return fits;
    }

    @Override
    public Shape shape() {
        return shape;
    }

    /** The lower bound of an element. */
    public float low(int index) {
        return low[index];
    }

    /** The upper bound of an element. */
    public float high(int index) {
        return high[index];
    }

    /** Returns whether its elements are whole numbers. */
    public boolean isWhole() {
        return isWhole;
    }

    /** Returns whether all bounds are finite. */
    public boolean bounded() {
        for (int i = 0; i < low.length; i++) {
            if (Float.isInfinite(low[i]) || Float.isInfinite(high[i])) {
                return false;
            }
        }
        return true;
    }

    @Override
    public int width() {
        return low.length;
    }

    /**
     * Draws a point: normal where unbounded, exponential from a single bound, uniform between two bounds, in that
     * order; whole numbers are these rounded down, uniform up to the upper bound.
     */
    @Override
    public void sample(Pcg64 random, float[] into, int at) {
        for (int i = 0; i < low.length; i++) {
            if (Float.isInfinite(low[i]) && Float.isInfinite(high[i])) {
                into[at + i] = drawn(random.standardNormal());
            }
        }
        for (int i = 0; i < low.length; i++) {
            if (Float.isFinite(low[i]) && Float.isInfinite(high[i])) {
                into[at + i] = drawn(random.standardExponential() + low[i]);
            }
        }
        for (int i = 0; i < low.length; i++) {
            if (Float.isInfinite(low[i]) && Float.isFinite(high[i])) {
                into[at + i] = drawn(-random.standardExponential() + high[i]);
            }
        }
        for (int i = 0; i < low.length; i++) {
            if (Float.isFinite(low[i]) && Float.isFinite(high[i])) {
                into[at + i] = drawn(random.uniform(low[i], isWhole ? high[i] + 1.0 : high[i]));
            }
        }
    }

    private float drawn(double number) {
        return (float) (isWhole ? Math.floor(number) : number);
    }

    @Override
    public boolean contains(float[] values, int at) {
        for (int i = 0; i < low.length; i++) {
            float value = values[at + i];
            if (!(value >= low[i] && value <= high[i]) || isWhole && value != Math.rint(value)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Box box
                && shape.equals(box.shape)
                && isWhole == box.isWhole
                && Arrays.equals(low, box.low)
                && Arrays.equals(high, box.high);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(low) * 31 + Arrays.hashCode(high);
    }

    /** For example {@code Box(2) of [-1.2, -0.07] to [0.6, 0.07]}; many equal bounds are one number. */
    @Override
    public String toString() {
        return "Box" + shape + " of " + (isWhole ? "whole numbers " : "") + text(low) + " to " + text(high);
    }

    private static String text(float[] bounds) {
        boolean isShort = bounds.length > LISTED;
        for (float bound : bounds) {
            isShort &= bound == bounds[0];
        }
        return isShort ? Float.toString(bounds[0]) : Arrays.toString(bounds);
    }
}
