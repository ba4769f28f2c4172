package hocket.workbench.live;

import java.util.Arrays;

/**
 * A series of figures by step, as it comes. Any thread. Of a very long one, what is older is kept thinned, so that memory is
 * bounded; {@code metrics.jsonl} has all.
 */
final class Curve {
    /** As many points as are kept at most; half of them after thinning. */
    static final int MOST = 20_000;

    private double[] steps = new double[64];
    private double[] values = new double[64];
    private int size;
    private long count;

    /**
     * Points of a curve.
     *
     * @param total how many there were, with those that were thinned out
     */
    record Points(double[] steps, double[] values, long total) {
        /** As few as that, by {@linkplain Thinning largest triangles}. */
        Points thinned(int most) {
            int[] kept = Thinning.largestTriangles(steps, values, most);
            return new Points(of(steps, kept), of(values, kept), total);
        }

        private static double[] of(double[] all, int[] kept) {
            return Arrays.stream(kept).mapToDouble(i -> all[i]).toArray();
        }
    }

    synchronized void add(long step, double value) {
        if (size == MOST) {
            Points fewer = new Points(Arrays.copyOf(steps, size), Arrays.copyOf(values, size), count).thinned(MOST / 2);
            size = fewer.steps().length;
            System.arraycopy(fewer.steps(), 0, steps, 0, size);
            System.arraycopy(fewer.values(), 0, values, 0, size);
        } else if (size == steps.length) {
            steps = Arrays.copyOf(steps, Math.min(MOST, 2 * size));
            values = Arrays.copyOf(values, steps.length);
        }
        steps[size] = step;
        values[size++] = value;
        count++;
    }

    /** Those with {@code from <= step <= to}. */
    synchronized Points between(double from, double to) {
        int first = 0;
        while (first < size && steps[first] < from) {
            first++;
        }
        int end = size;
        while (end > first && steps[end - 1] > to) {
            end--;
        }
        return new Points(Arrays.copyOfRange(steps, first, end), Arrays.copyOfRange(values, first, end), count);
    }

    /** Those that came after so many; all that are kept where some of them were thinned out. */
    synchronized Points after(long seen) {
        int missing = (int) Math.min(size, Math.max(0, count - seen));
        return new Points(
                Arrays.copyOfRange(steps, size - missing, size),
                Arrays.copyOfRange(values, size - missing, size),
                count);
    }

    synchronized long count() {
        return count;
    }

    /** The newest value; NaN before the first. */
    synchronized double last() {
        return size == 0 ? Double.NaN : values[size - 1];
    }
}
