package hocket.workbench.live.views;

import java.util.Arrays;

/**
 * A metric's values by step, extended while they are recorded. Used by any thread. Older points of a very long curve
 * are thinned, so that memory is bounded; {@code metrics.jsonl} has all.
 */
public final class LiveCurve {
    /** The largest number of points kept; half of them after thinning. */
    static final int MOST = 20_000;

    private double[] steps = new double[64];
    private double[] values = new double[64];
    private double[] times = new double[64];
    private int size;
    private long count;

    /**
     * Points of a curve.
     *
     * @param times when each was recorded, in seconds since 1970; 0 if unknown
     * @param total number of points, including those that were thinned out
     */
    public record Points(double[] steps, double[] values, double[] times, long total) {
        public static final Points NONE = new Points(new double[0], new double[0], new double[0], 0);

        /** Returns at most this number of points, by {@linkplain Downsampling largest triangles}. */
        public Points thinned(int most) {
            int[] kept = Downsampling.largestTriangles(steps, values, most);
            return new Points(of(steps, kept), of(values, kept), of(times, kept), total);
        }

        private static double[] of(double[] all, int[] kept) {
            return Arrays.stream(kept).mapToDouble(i -> all[i]).toArray();
        }
    }

    synchronized void add(long step, double value, double time) {
        if (size == MOST) {
            Points fewer = range(0, size).thinned(MOST / 2);
            size = fewer.steps().length;
            System.arraycopy(fewer.steps(), 0, steps, 0, size);
            System.arraycopy(fewer.values(), 0, values, 0, size);
            System.arraycopy(fewer.times(), 0, times, 0, size);
        } else if (size == steps.length) {
            steps = Arrays.copyOf(steps, Math.min(MOST, 2 * size));
            values = Arrays.copyOf(values, steps.length);
            times = Arrays.copyOf(times, steps.length);
        }
        steps[size] = step;
        times[size] = time;
        values[size++] = value;
        count++;
    }

    /** Returns the points with {@code from <= step <= to}. */
    public synchronized Points between(double from, double to) {
        int first = 0;
        while (first < size && steps[first] < from) {
            first++;
        }
        int end = size;
        while (end > first && steps[end - 1] > to) {
            end--;
        }
        return range(first, end);
    }

    /** Returns the points after the first {@code seen}; fewer if some of them were thinned out. */
    synchronized Points after(long seen) {
        int missing = (int) Math.min(size, Math.max(0, count - seen));
        return range(size - missing, size);
    }

    private Points range(int from, int to) {
        return new Points(
                Arrays.copyOfRange(steps, from, to),
                Arrays.copyOfRange(values, from, to),
                Arrays.copyOfRange(times, from, to),
                count);
    }

    public synchronized long count() {
        return count;
    }

    /** Returns the newest value; NaN before the first. */
    public synchronized double last() {
        return size == 0 ? Double.NaN : values[size - 1];
    }
}
