package hocket.workbench.runs;

import java.util.Arrays;

/**
 * How many values lie where, in bins of one width between the smallest and the largest; what is not finite is left out.
 *
 * @param edges of the bins, ascending: one more than counts. Where all values are one, the first edge is that, and they are in
 *     the first bin
 */
public record Histogram(double[] edges, long[] counts) {
    /** As many bins as are usual. */
    public static final int USUAL_BINS = 40;

    /** Of values, in so many bins; around 0 with nothing in them where no value is finite. */
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

    /** Those of the values that a histogram counts. */
    public static double[] finite(double[] values) {
        return Arrays.stream(values).filter(Double::isFinite).toArray();
    }
}
