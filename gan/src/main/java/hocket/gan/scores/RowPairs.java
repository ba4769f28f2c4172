package hocket.gan.scores;

import java.util.Arrays;

/**
 * Dot products and squared Euclidean distances of each row of a set (n1, d) with every row of another (n2, d), in double
 * precision. They are passed on row by row, so memory is of order n2·d, not n1·n2. A distance is a sum of squared
 * differences: of equal rows it is exactly 0.
 */
final class RowPairs {
    private static final int BLOCK = 8; // rows that share one pass over the other set
    private static final int STEP = 4; // columns whose shares are added in one pass over the sums

    private RowPairs() {}

    /** Receives the values (n2) of row i with all rows of the other set; the array is overwritten after the call. */
    @FunctionalInterface
    interface Visitor {
        void row(int i, double[] values);
    }

    /** Adds the shares of four columns from the k-th, in their order, to the sums of a row. */
    @FunctionalInterface
    private interface Step {
        void add(double[] row, double[][] columns, int k, double[] sums);
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
        double[][] values = new double[BLOCK][columns.length];
        double[][] sums = new double[BLOCK][second.count()];
        for (int from = 0; from < first.count(); from += BLOCK) {
            int rows = Math.min(BLOCK, first.count() - from);
            for (int row = 0; row < rows; row++) {
                for (int k = 0; k < first.dimension(); k++) {
                    values[row][k] = first.values()[(from + row) * first.dimension() + k];
                }
                Arrays.fill(sums[row], 0);
            }
            for (int k = 0; k < columns.length; k += STEP) {
                for (int row = 0; row < rows; row++) {
                    step.add(values[row], columns, k, sums[row]);
                }
            }
            for (int row = 0; row < rows; row++) {
                visitor.row(from + row, sums[row]);
            }
        }
    }

    /** Returns the columns, and columns of zeros up to a multiple of {@link #STEP}, which change no sum. */
    private static double[][] columns(FeatureRows rows) {
        int d = rows.dimension();
        double[][] columns = new double[(d + STEP - 1) / STEP * STEP][rows.count()];
        for (int i = 0; i < rows.count(); i++) {
            for (int k = 0; k < d; k++) {
                columns[k][i] = rows.values()[i * d + k];
            }
        }
        return columns;
    }

    private static void addProducts(double[] row, double[][] columns, int k, double[] sums) {
        double value0 = row[k];
        double value1 = row[k + 1];
        double value2 = row[k + 2];
        double value3 = row[k + 3];
        double[] column0 = columns[k];
        double[] column1 = columns[k + 1];
        double[] column2 = columns[k + 2];
        double[] column3 = columns[k + 3];
        for (int j = 0; j < sums.length; j++) {
            sums[j] = sums[j] + value0 * column0[j] + value1 * column1[j] + value2 * column2[j] + value3 * column3[j];
        }
    }

    private static void addSquares(double[] row, double[][] columns, int k, double[] sums) {
        double value0 = row[k];
        double value1 = row[k + 1];
        double value2 = row[k + 2];
        double value3 = row[k + 3];
        double[] column0 = columns[k];
        double[] column1 = columns[k + 1];
        double[] column2 = columns[k + 2];
        double[] column3 = columns[k + 3];
        for (int j = 0; j < sums.length; j++) {
            double difference0 = value0 - column0[j];
            double difference1 = value1 - column1[j];
            double difference2 = value2 - column2[j];
            double difference3 = value3 - column3[j];
            sums[j] = sums[j]
                    + difference0 * difference0
                    + difference1 * difference1
                    + difference2 * difference2
                    + difference3 * difference3;
        }
    }
}
