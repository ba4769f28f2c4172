package hocket.schedulers.stats;

/** Numbers of smaller values among sorted ones, by binary search. */
final class Ranks {
    private Ranks() {}

    /** Returns how many values are below a limit. */
    static int below(double[] sorted, double limit) {
        int low = 0;
        int high = sorted.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (sorted[middle] < limit) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Returns how many values are at most a limit. */
    static int atMost(double[] sorted, double limit) {
        return below(sorted, Math.nextUp(limit));
    }
}
