package hocket.gan.scores;

import java.util.Arrays;

/**
 * Dot products and squared Euclidean distances of each row of a set (n1, d) with every row of another (n2, d), in double
 * precision. They are passed on row by row, so memory is of order n2·d, not n1·n2. A distance is a sum of squared
 * differences: of equal rows it is exactly 0.
 */
final class RowPairs {
    private static final int BLOCK = 8; // rows that share one pass over the other set

    private RowPairs() {}

    /** Receives the values (n2) of row i with all rows of the other set; the array is overwritten after the call. */
    @FunctionalInterface
    interface Visitor {
        void row(int i, double[] values);
    }

    /** Adds one column's share to the sums of a row. */
    @FunctionalInterface
    private interface Step {
        void add(double value, double[] column, double[] sums);
    }

    /** Visits the dot products. Throws as {@link FeatureRows#requireComparable}. */
    static void products(FeatureRows first, FeatureRows second, Visitor visitor) {
        visit(first, second, RowPairs::addProducts, visitor);
    }

    /** Visits the squared distances. Throws as {@link FeatureRows#requireComparable}. */
    static void squaredDistances(FeatureRows first, FeatureRows second, Visitor visitor) {
        visit(first, second, RowPairs::addSquares, visitor);
    }

    private static void visit(FeatureRows first, FeatureRows second, Step step, Visitor visitor) {
        first.requireComparable(second);
        double[][] columns = columns(second);
        double[][] sums = new double[BLOCK][second.count()];
        for (int from = 0; from < first.count(); from += BLOCK) {
            int rows = Math.min(BLOCK, first.count() - from);
            for (int row = 0; row < rows; row++) {
                Arrays.fill(sums[row], 0);
            }
            for (int k = 0; k < columns.length; k++) {
                for (int row = 0; row < rows; row++) {
                    step.add(first.values()[(from + row) * columns.length + k], columns[k], sums[row]);
                }
            }
            for (int row = 0; row < rows; row++) {
                visitor.row(from + row, sums[row]);
            }
        }
    }

    private static double[][] columns(FeatureRows rows) {
        double[][] columns = new double[rows.dimension()][rows.count()];
        for (int i = 0; i < rows.values().length; i++) {
            columns[i % columns.length][i / columns.length] = rows.values()[i];
        }
        return columns;
    }

    private static void addProducts(double value, double[] column, double[] sums) {
        for (int j = 0; j < sums.length; j++) {
            sums[j] += value * column[j];
        }
    }

    private static void addSquares(double value, double[] column, double[] sums) {
        for (int j = 0; j < sums.length; j++) {
            double difference = value - column[j];
            sums[j] += difference * difference;
        }
    }
}
