package hocket.workbench.live.views;

import hocket.schedulers.settings.Limits;
import java.util.stream.IntStream;

/**
 * Downsamples a curve so that it looks the same: largest triangle three buckets (S. Steinarsson, <i>Downsampling Time
 * Series for Visual Representation</i>, University of Iceland, 2013, section 4.2).
 */
final class Downsampling {
    private Downsampling() {}

    /**
     * Returns the points to keep: the first, the last, and of each bucket between them the one that spans the largest
     * triangle with the point kept before it and the mean of the next bucket. A value that is not finite is kept before
     * all others of its bucket, so that it is visible.
     *
     * @param xs in ascending order
     * @param ys as many
     * @param most at least 3
     * @return indices in ascending order; all of them if there are no more than that
     */
    static int[] largestTriangles(double[] xs, double[] ys, int most) {
        Limits.atLeast(3, "points", most);
        if (xs.length <= most) {
            return IntStream.range(0, xs.length).toArray();
        }
        int[] kept = new int[most];
        double every = (xs.length - 2.0) / (most - 2);
        int before = 0;
        for (int bucket = 0; bucket < most - 2; bucket++) {
            int from = 1 + (int) (bucket * every);
            int to = 1 + (int) ((bucket + 1) * every);
            int nextTo = bucket == most - 3 ? xs.length : 1 + (int) ((bucket + 2) * every);
            double meanX = mean(xs, to, nextTo);
            double meanY = mean(ys, to, nextTo);
            int best = from;
            double largest = -1;
            for (int i = from; i < to; i++) {
                if (!Double.isFinite(ys[i])) {
                    best = i;
                    break;
                }
                double area = Math.abs(
                        (xs[before] - meanX) * (ys[i] - ys[before]) - (xs[before] - xs[i]) * (meanY - ys[before]));
                if (area > largest) {
                    largest = area;
                    best = i;
                }
            }
            kept[bucket + 1] = best;
            before = Double.isFinite(ys[best]) || !Double.isFinite(ys[before]) ? best : before;
        }
        kept[most - 1] = xs.length - 1;
        return kept;
    }

    /** Returns the mean of the finite values. */
    private static double mean(double[] of, int from, int to) {
        double sum = 0;
        int count = 0;
        for (int i = from; i < Math.min(to, of.length); i++) {
            if (Double.isFinite(of[i])) {
                sum += of[i];
                count++;
            }
        }
        return count == 0 ? 0 : sum / count;
    }
}
