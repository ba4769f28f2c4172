package hocket.programs.jvm.dense;

import hocket.scopes.Shape;

/**
 * An axis of an array.
 *
 * @param outside how many times all of it stands there, one after the other
 * @param along its extent
 * @param inside how many elements stand at each of its places
 */
public record AxisLayout(int outside, int along, int inside) {
    /**
     * Around an axis of a shape that stands there several times.
     *
     * @param before how many times, one after the other
     * @param behind how many elements stand at each of the shape's places
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

    /** Where the axis begins for the i-th time. */
    public int start(int i) {
        return i * along * inside;
    }

    /** Where a line along the axis begins, of outside · inside lines; its next element is {@code inside} further on. */
    public int line(int line) {
        return start(line / inside) + line % inside;
    }
}
