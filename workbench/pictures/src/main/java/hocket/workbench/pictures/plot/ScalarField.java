package hocket.workbench.pictures.plot;

import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A number everywhere in a rectangle of the plane, known in the middles of equal cells.
 *
 * @param values row-major (rows, columns), from the bottom up; none where it is not known, in no column and no row
 * @param across from the left of the first cell to the right of the last
 * @param up from the bottom of the first row to the top of the last
 */
record ScalarField(float[] values, int columns, int rows, Extent across, Extent up) {
    /** @throws IllegalArgumentException if a number is missing or too many, or a bound is no number */
    ScalarField {
        if (columns < 0 || rows < 0 || values.length != (long) columns * rows) {
            throw new IllegalArgumentException("a field of " + columns + " columns and " + rows
                    + " rows needs a value for each cell, got " + values.length);
        }
        if (!(across.size() > 0 && up.size() > 0 && Double.isFinite(across.size() + up.size()))) {
            throw new IllegalArgumentException("a field's left must be below its right and its bottom below its top,"
                    + " got " + across.least() + ", " + across.greatest() + ", " + up.least() + ", " + up.greatest());
        }
    }

    /** Returns whether it is known anywhere. */
    boolean isKnown() {
        return values.length > 0;
    }

    /** From the least to the greatest of its finite values. */
    Extent range() {
        return Extent.of(Stream.of(
                IntStream.range(0, values.length).mapToDouble(i -> values[i]).toArray()));
    }

    /**
     * The value at a place, between the middles of cells by how near each is (bilinear), beyond them as at the nearest.
     *
     * @param x 0 at the left, 1 at the right
     * @param y 0 at the bottom, 1 at the top
     */
    double at(double x, double y) {
        double column = Math.max(0, Math.min(columns - 1.0, x * columns - 0.5));
        double row = Math.max(0, Math.min(rows - 1.0, y * rows - 0.5));
        int left = (int) Math.min(column, Math.max(0, columns - 2));
        int below = (int) Math.min(row, Math.max(0, rows - 2));
        double low = between(value(left, below), value(left + 1, below), column - left);
        double high = between(value(left, below + 1), value(left + 1, below + 1), column - left);
        return between(low, high, row - below);
    }

    private double value(int column, int row) {
        return values[Math.min(row, rows - 1) * columns + Math.min(column, columns - 1)];
    }

    private static double between(double from, double to, double share) {
        return share == 0 ? from : from + share * (to - from);
    }
}
