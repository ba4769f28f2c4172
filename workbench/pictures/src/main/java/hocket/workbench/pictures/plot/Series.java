package hocket.workbench.pictures.plot;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The values of one metric of one turn.
 *
 * @param turn the turn that reported it
 * @param name the metric's name
 * @param setting whether it is a setting of the turn, each value of which holds until the next
 * @param points in the order in which they were reported
 */
record Series(String turn, String name, boolean setting, List<Point> points) {
    /**
     * A reported value.
     *
     * @param value the value; may be infinite or NaN
     */
    record Point(long round, double epoch, double value) {}

    /** Returns the path: {@code d/loss}. */
    String path() {
        return turn + "/" + name;
    }

    /** Returns the values, with NaN for those that are not finite. */
    double[] values() {
        return column(point -> Double.isFinite(point.value()) ? point.value() : Double.NaN);
    }

    /** Returns a property of every point. */
    double[] column(ToDoubleFunction<Point> what) {
        return points.stream().mapToDouble(what).toArray();
    }

    /** Returns whether reports of different rounds are of different epochs. */
    boolean hasEpochsThroughout() {
        for (int i = 1; i < points.size(); i++) {
            if (points.get(i).round() > points.get(i - 1).round()
                    && points.get(i).epoch() <= points.get(i - 1).epoch()) {
                return false;
            }
        }
        return true;
    }
}
