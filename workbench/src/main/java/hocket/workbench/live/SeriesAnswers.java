package hocket.workbench.live;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Figures by step: which there are, and their points. */
final class SeriesAnswers {
    private SeriesAnswers() {}

    record Known(String name, long count, double last) {}

    record All(List<Known> series) {}

    static All all(ServedRun run) {
        List<Known> known = new ArrayList<>();
        run.curves().byName().forEach((name, curve) -> known.add(new Known(name, curve.count(), curve.last())));
        return new All(known);
    }

    record Metrics(Map<String, Curve.Points> series) {}

    /** Points of what is asked for; of a series that is not there, none. */
    static Metrics metrics(ServedRun run, Query query) {
        List<String> names = query.names("series");
        double from = query.number("from");
        double to = query.number("to");
        int points = query.whole("points");
        Map<String, Curve> known = run.curves().byName();
        Map<String, Curve.Points> found = new LinkedHashMap<>();
        for (String name : names) {
            Curve curve = known.get(name);
            found.put(
                    name,
                    curve == null ? Curve.Points.NONE : curve.between(from, to).thinned(points));
        }
        return new Metrics(found);
    }
}
