package hocket.workbench.pictures.plot;

import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A scalar field on a rectangle of the plane, with a value at the centre of each cell.
 *
 * @param values row-major (rows, columns), from the bottom up; without rows and columns if unknown
 * @param across from the left of the first cell to the right of the last
 * @param up from the bottom of the first row to the top of the last
 */
record ScalarField(float[] values, int columns, int rows, Extent across, Extent up) {
    /** @throws IllegalArgumentException if the number of values is wrong, or a bound is not finite */
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

    /** Returns whether the field has values. */
    boolean isKnown() {
        return values.length > 0;
    }

    /** Returns the extent of its finite values. */
    Extent range() {
        return Extent.of(Stream.of(
                IntStream.range(0, values.length).mapToDouble(i -> values[i]).toArray()));
    }

    /**
     * Returns the value at a position, by bilinear interpolation between cell centres; beyond them that of the nearest.
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
