package hocket.programs.jvm;

import hocket.scopes.Shape;

/**
 * An axis of an array.
 *
 * @param outside number of consecutive repetitions of all of it
 * @param along its extent
 * @param inside number of elements at each index
 */
public record AxisLayout(int outside, int along, int inside) {
    /**
     * The layout of an axis of a shape that is repeated.
     *
     * @param before how many times, one after the other
     * @param behind number of elements after each index of the axis
     */
    public static AxisLayout of(Shape shape, int axis, int before, int behind) {
        int outside = before;
        for (int i = 0; i < axis; i++) {
            outside *= shape.get(i);
        }
        int inside = behind;
        for (int i = axis + 1; i < shape.rank(); i++) {
            inside *= shape.get(i);
        }
        return new AxisLayout(outside, shape.get(axis), inside);
    }

    /** Returns the start of the axis for the i-th time. */
    public int start(int i) {
        return i * along * inside;
    }

    /** Returns the start of a line along the axis, of outside · inside lines, with stride {@code inside}. */
    public int line(int line) {
        return start(line / inside) + line % inside;
    }
}
