package hocket.workbench.pictures.plot;

import hocket.workbench.runs.json.MetricLines;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The recorded metrics of a run.
 *
 * @param name the run's name in legends
 * @param series the metrics by path, in the order of their first reports
 * @param rounds number of rounds at the last report of any metric
 * @param epochs number of epochs at that report; 0 if it counts none, as a run without data
 * @param steps steps counted by turns of Java, by rounds; empty if they count none
 */
record RunMetrics(String name, Map<String, Series> series, long rounds, double epochs, Optional<Curve> steps) {
    private static final String STEPS = "steps";

    /**
     * Reads a run folder.
     *
     * @throws IllegalArgumentException if it is not a run, has no metrics, or its file of metrics is damaged
     * @throws java.io.UncheckedIOException if it cannot be read
     */
    static RunMetrics read(String name, Path folder) {
        Path file = folder.resolve("metrics.jsonl");
        if (!Files.isRegularFile(file)) {
            throw new IllegalArgumentException(folder + " is not a run folder: it has no metrics.jsonl");
        }
        Map<String, Series> series = new LinkedHashMap<>();
        MetricLines.readDrawn(
                file,
                metric -> series.computeIfAbsent(
                                metric.path(),
                                path -> new Series(metric.turn(), metric.name(), metric.setting(), new ArrayList<>()))
                        .points()
                        .add(new Series.Point(metric.round(), metric.epoch(), metric.value())));
        if (series.isEmpty()) {
            throw new IllegalArgumentException(file + " holds no metric yet");
        }
        Optional<Curve> steps = series.values().stream()
                .filter(each -> each.name().equals(STEPS))
                .findFirst()
                .map(each -> new Curve(STEPS, each.column(Series.Point::round), each.values()));
        List<Series.Point> points =
                series.values().stream().flatMap(each -> each.points().stream()).toList();
        return new RunMetrics(
                name,
                series,
                points.stream().mapToLong(Series.Point::round).max().orElse(0),
                points.stream().mapToDouble(Series.Point::epoch).max().orElse(0),
                steps);
    }

    /** Returns the abscissae of a metric's points in that unit. */
    double[] bySteps(Series of) {
        Curve counted = steps.orElseThrow();
        return of.column(point -> counted.at(point.round()));
    }

    /** Returns the run's end in that unit. */
    double endBySteps() {
        return steps.orElseThrow().at(rounds);
    }

    /** Returns whether it counts epochs, and each metric's grow from report to report: not so in a phase without data. */
    boolean hasEpochsThroughout() {
        return epochs > 0 && series.values().stream().allMatch(Series::hasEpochsThroughout);
    }

    /** Returns a copy with the selected metrics, possibly none. */
    RunMetrics only(Predicate<String> wanted) {
        Map<String, Series> kept = new LinkedHashMap<>(series);
        kept.keySet().removeIf(wanted.negate());
        return new RunMetrics(name, kept, rounds, epochs, steps);
    }
}
