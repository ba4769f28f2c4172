package hocket.workbench.plot;

/**
 * One line of a chart.
 *
 * @param label what the legend calls it
 * @param x one for each point, ascending
 * @param y one for each point; NaN leaves a gap
 */
record Curve(String label, double[] x, double[] y) {
    /**
     * A mean over what lies around each point: {@code y'(x) = mean of y over [x-h, x+h]}, where h is half the width, or
     * less near an end, so that both sides always weigh the same and a curve begins and ends where it did. Gaps stay,
     * and count for nothing beside them.
     *
     * @param width in units of x
     */
    Curve smoothed(double width) {
        int last = x.length - 1;
        double[] means = new double[y.length];
        int from = 0;
        for (int i = 0; i <= last; i++) {
            double half = Math.min(width / 2, Math.min(x[i] - x[0], x[last] - x[i]));
            while (x[from] < x[i] - width / 2) {
                from++;
            }
            double mean = 0;
            int count = 0;
            for (int j = from; j <= last && x[j] <= x[i] + half; j++) {
                if (x[j] >= x[i] - half && !Double.isNaN(y[j])) {
                    count++;
                    mean += (y[j] - mean) / count; // a sum could leave the range of double
                }
            }
            means[i] = Double.isNaN(y[i]) ? Double.NaN : mean;
        }
        return new Curve(label, x, means);
    }

    /** The same for a logarithmic axis: what is not above zero leaves a gap. */
    Curve positive() {
        double[] kept = y.clone();
        for (int i = 0; i < kept.length; i++) {
            kept[i] = kept[i] > 0 ? kept[i] : Double.NaN;
        }
        return new Curve(label, x, kept);
    }
}
