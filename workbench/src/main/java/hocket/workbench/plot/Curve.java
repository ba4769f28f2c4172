package hocket.workbench.plot;

/**
 * One line of a chart.
 *
 * @param label what the legend calls it
 * @param x one for each point
 * @param y one for each point; NaN leaves a gap
 */
record Curve(String label, double[] x, double[] y) {
    private static final int FEWEST = 20;

    /** Over how many points a curve of so many is averaged: about a twentieth of them, odd; 1 for a short one. */
    static int window(int points) {
        return points < FEWEST ? 1 : Math.max(5, points / 20 | 1);
    }

    /**
     * The mean of the points around each, fewer at the ends: {@code y'[i] = mean(y[i-w/2 .. i+w/2])}. Gaps stay, and
     * count for nothing beside them.
     *
     * @param window how many points, odd
     */
    Curve smoothed(int window) {
        double[] means = new double[y.length];
        for (int i = 0; i < y.length; i++) {
            double sum = 0;
            int count = 0;
            for (int j = Math.max(0, i - window / 2); j <= Math.min(y.length - 1, i + window / 2); j++) {
                if (!Double.isNaN(y[j])) {
                    sum += y[j];
                    count++;
                }
            }
            means[i] = Double.isNaN(y[i]) ? Double.NaN : sum / count;
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
