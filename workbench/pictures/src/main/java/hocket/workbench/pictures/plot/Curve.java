package hocket.workbench.pictures.plot;

import java.util.Arrays;

/**
 * A line of a chart.
 *
 * @param label its name in the legend
 * @param x the abscissa of each point, ascending
 * @param y the value of each point; NaN leaves a gap
 */
record Curve(String label, double[] x, double[] y) {
    /** Returns the outline of a band: forward along the upper edge, back along the lower one. */
    static Curve outline(String label, double[] x, double[] low, double[] high) {
        int n = x.length;
        double[] around = new double[2 * n];
        double[] edge = new double[2 * n];
        for (int i = 0; i < n; i++) {
            around[i] = x[i];
            edge[i] = high[i];
            around[2 * n - 1 - i] = x[i];
            edge[2 * n - 1 - i] = low[i];
        }
        return new Curve(label, around, edge);
    }

    /** Returns the value at a place, by linear interpolation; beyond the ends the value of the nearest point. */
    double at(double place) {
        int found = Arrays.binarySearch(x, place);
        if (found >= 0) {
            return y[found];
        }
        int above = -found - 1;
        if (above == 0 || above == x.length) {
            return y[Math.min(above, x.length - 1)];
        }
        double share = (place - x[above - 1]) / (x[above] - x[above - 1]);
        return y[above - 1] + share * (y[above] - y[above - 1]);
    }

    /** Returns the curve as steps: each value holds until the next point, the last one until the end. */
    Curve stairs(double end) {
        int n = x.length;
        double[] across = new double[2 * n];
        double[] up = new double[2 * n];
        for (int i = 0; i < n; i++) {
            across[2 * i] = x[i];
            across[2 * i + 1] = i + 1 < n ? x[i + 1] : Math.max(end, x[i]);
            up[2 * i] = y[i];
            up[2 * i + 1] = y[i];
        }
        return new Curve(label, across, up);
    }

    /**
     * Returns the moving average around each point: {@code y'(x) = mean of y over [x - width/2, x + width/2]}. Gaps
     * remain and are not counted.
     *
     * @param width the width of the window in units of x
     */
    Curve smoothed(double width) {
        double[] means = new double[y.length];
        int from = 0;
        for (int i = 0; i < x.length; i++) {
            while (x[from] < x[i] - width / 2) {
                from++;
            }
            double mean = 0;
            int count = 0;
            for (int j = from; j < x.length && x[j] <= x[i] + width / 2; j++) {
                if (!Double.isNaN(y[j])) {
                    count++;
                    mean += (y[j] - mean) / count; // a sum could overflow
                }
            }
            means[i] = Double.isNaN(y[i]) ? Double.NaN : mean;
        }
        return new Curve(label, x, means);
    }
}
