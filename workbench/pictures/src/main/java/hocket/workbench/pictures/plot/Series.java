package hocket.workbench.pictures.plot;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The values of one metric of one turn.
 *
 * @param turn who
 * @param name what
 * @param setting whether it is a setting of the turn, each value of which holds until the next
 * @param points in the order in which they were reported
 */
record Series(String turn, String name, boolean setting, List<Point> points) {
    /**
     * One report.
     *
     * @param value may be infinite or no number
     */
    record Point(long round, double epoch, double value) {}

    /** As a person chooses it: {@code d/loss}. */
    String path() {
        return turn + "/" + name;
    }

    /** The values, NaN where one is not finite. */
    double[] values() {
        return column(point -> Double.isFinite(point.value()) ? point.value() : Double.NaN);
    }

    /** Something of every point. */
    double[] column(ToDoubleFunction<Point> what) {
        return points.stream().mapToDouble(what).toArray();
    }
}
