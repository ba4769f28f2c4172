package hocket.workbench.runs;

import java.util.Arrays;

/**
 * A histogram with bins of one width between the smallest and the largest value; values that are not finite are left
 * out.
 *
 * @param edges of the bins, ascending: one more than counts. If all values are equal, the first edge is that value, and
 *     they are in the first bin
 */
public record Histogram(double[] edges, long[] counts) {
    /** The usual number of bins. */
    public static final int USUAL_BINS = 40;

    /** Returns the histogram of values with this number of bins; empty bins around 0 if no value is finite. */
    public static Histogram of(double[] values, int bins) {
        double[] finite = finite(values);
        double low = Arrays.stream(finite).min().orElse(0);
        double high = Arrays.stream(finite).max().orElse(0);
        double width = high > low ? (high - low) / bins : 1.0 / bins;
        double[] edges = new double[bins + 1];
        for (int i = 0; i <= bins; i++) {
            edges[i] = low + i * width;
        }
        long[] counts = new long[bins];
        for (double value : finite) {
            counts[(int) Math.min(bins - 1, (value - low) / width)]++;
        }
        return new Histogram(edges, counts);
    }

    /** Returns the values that a histogram counts. */
    public static double[] finite(double[] values) {
        return Arrays.stream(values).filter(Double::isFinite).toArray();
    }
}
