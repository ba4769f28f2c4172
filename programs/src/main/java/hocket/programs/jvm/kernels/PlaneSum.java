package hocket.programs.jvm.kernels;

import java.util.function.IntBinaryOperator;
import java.util.function.IntUnaryOperator;

/**
 * A sum of up to four planes of numbers, {@code (a + s·b) + t·(c + s·d)}: transforms are made of them.
 *
 * @param s 1 or −1
 * @param t 1, −1 or ½, so that no product is rounded
 * @param a the number of a plane, −1 for zeros; likewise b, c and d
 */
public record PlaneSum(float s, float t, int a, int b, int c, int d) {
    /** Zeros. */
    public static final PlaneSum NONE = new PlaneSum(1, 1, -1, -1, -1, -1);

    /** One plane. */
    public static PlaneSum of(int a) {
        return sum(a, 1, -1);
    }

    /** {@code a + s·b}. */
    public static PlaneSum sum(int a, float s, int b) {
        return new PlaneSum(s, 1, a, b, -1, -1);
    }

    /** Returns whether it has at most two planes, as {@link #sum} makes them. */
    public boolean isPair() {
        return c < 0 && d < 0;
    }

    public boolean isZero() {
        return isPair() && a < 0 && b < 0;
    }

    /**
     * The product of pairs along two axes.
     *
     * @param plane returns the plane of a row and a column, −1 for none
     */
    public static PlaneSum ofPairs(PlaneSum rows, PlaneSum columns, IntBinaryOperator plane) {
        IntBinaryOperator present = (row, column) -> row < 0 || column < 0 ? -1 : plane.applyAsInt(row, column);
        return new PlaneSum(
                columns.s,
                rows.s,
                present.applyAsInt(rows.a, columns.a),
                present.applyAsInt(rows.a, columns.b),
                present.applyAsInt(rows.b, columns.a),
                present.applyAsInt(rows.b, columns.b));
    }

    /** Returns the same sum of other planes; −1 stays. */
    public PlaneSum of(IntUnaryOperator plane) {
        IntUnaryOperator present = index -> index < 0 ? -1 : plane.applyAsInt(index);
        return new PlaneSum(
                s, t, present.applyAsInt(a), present.applyAsInt(b), present.applyAsInt(c), present.applyAsInt(d));
    }
}
