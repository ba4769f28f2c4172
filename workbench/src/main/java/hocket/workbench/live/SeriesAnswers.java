package hocket.workbench.live;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Figures by step: which there are, and their points. */
final class SeriesAnswers {
    private static final int USUAL_POINTS = 1000;
    /** More than a screen has columns. */
    private static final int MOST_POINTS = 10_000;
    /** More than a person compares; each is thinned anew for each question. */
    private static final int MOST_SERIES = 100;

    /** Up to here a page's numbers are exact. */
    private static final double MOST_STEP = 9e15;

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
        List<String> names = query.all("series");
        if (names.isEmpty() || names.size() > MOST_SERIES) {
            throw Denial.wrong("series", "must be 1 to " + MOST_SERIES + " names, were " + names.size());
        }
        double from = query.number("from", 0, MOST_STEP);
        double to = query.number("to", MOST_STEP, MOST_STEP);
        int points = query.whole("points", USUAL_POINTS, 3, MOST_POINTS);
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
