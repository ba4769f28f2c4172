package hocket.workbench.live.handlers;

import hocket.workbench.live.http.Query;
import hocket.workbench.live.views.LiveCurve;
import hocket.workbench.live.views.ServedRun;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Serves the metrics of a run by step: their names and their points. */
public final class MetricHandler {
    private MetricHandler() {}

    public record Known(String name, long count, double last) {}

    public record All(List<Known> series) {}

    public static All all(ServedRun run) {
        List<Known> known = new ArrayList<>();
        run.curves()
                .byName()
                .forEach((name, liveCurve) -> known.add(new Known(name, liveCurve.count(), liveCurve.last())));
        return new All(known);
    }

    public record Metrics(Map<String, LiveCurve.Points> series) {}

    /** Returns the points of the requested metrics; none for an unknown one. */
    public static Metrics metrics(ServedRun run, Query query) {
        List<String> names = query.names("series");
        double from = query.number("from");
        double to = query.number("to");
        int points = query.whole("points");
        Map<String, LiveCurve> known = run.curves().byName();
        Map<String, LiveCurve.Points> found = new LinkedHashMap<>();
        for (String name : names) {
            LiveCurve liveCurve = known.get(name);
            found.put(
                    name,
                    liveCurve == null
                            ? LiveCurve.Points.NONE
                            : liveCurve.between(from, to).thinned(points));
        }
        return new Metrics(found);
    }
}
