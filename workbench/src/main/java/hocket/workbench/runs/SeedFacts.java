package hocket.workbench.runs;

import hocket.schedulers.stats.Summary;
import hocket.workbench.json.JsonDocument;
import hocket.workbench.json.JsonLines;
import hocket.workbench.terminal.Table;
import hocket.workbench.terminal.Table.Kind;
import hocket.workbench.terminal.Terminal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the scores of several seeds have in common.
 *
 * @param experiment its name
 * @param seeds in their order
 * @param scores those that all seeds have, by name
 */
public record SeedFacts(String experiment, List<Long> seeds, Map<String, Score> scores) {
    /**
     * One score.
     *
     * @param values one for each seed, in their order
     * @param mean of them
     * @param standardDeviation of them; null of one
     * @param meanLow where the interval begins that holds the mean in 95 of 100 cases: {@link Summary}; null of one
     * @param meanHigh where it ends; null of one
     */
    record Score(
            List<Double> values,
            double mean,
            @Nullable Double standardDeviation,
            @Nullable Double meanLow,
            @Nullable Double meanHigh) {
        public static Score of(List<Double> values) {
            Summary summary =
                    Summary.of(values.stream().mapToDouble(Double::doubleValue).toArray());
            return values.size() == 1
                    ? new Score(values, summary.mean(), null, null, null)
                    : new Score(values, summary.mean(), summary.deviation(), summary.meanLow(), summary.meanHigh());
        }
    }

    /**
     * The facts of some files of scores, one for each seed.
     *
     * @throws IllegalArgumentException if one is damaged
     * @throws java.io.UncheckedIOException if one cannot be read
     */
    public static SeedFacts of(String experiment, List<Long> seeds, List<Path> files) {
        List<Map<String, Double>> all = files.stream().map(JsonLines::numbers).toList();
        Map<String, Score> scores = new TreeMap<>();
        for (String name : all.get(0).keySet()) {
            if (all.stream().allMatch(each -> each.containsKey(name))) {
                List<Double> values = all.stream()
                        .map(each -> Objects.requireNonNull(each.get(name)))
                        .toList();
                scores.put(name, Score.of(values));
            }
        }
        return new SeedFacts(experiment, List.copyOf(seeds), scores);
    }

    public String json() {
        return JsonDocument.of(this) + "\n";
    }

    /** A table for people. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(experiment + ", seeds " + seeds.get(0) + " to " + seeds.get(seeds.size() - 1));
        Table table = new Table(Kind.NAME, Kind.NUMBER, Kind.NUMBER, Kind.NAME);
        table.row("", "mean", "std. dev.", "95 % interval of the mean");
        scores.forEach((name, score) -> table.row(
                name,
                written(score.mean()),
                score.standardDeviation() == null ? "" : written(score.standardDeviation()),
                score.meanLow() == null || score.meanHigh() == null
                        ? ""
                        : written(score.meanLow()) + " to " + written(score.meanHigh())));
        lines.addAll(table.lines(Terminal.COLUMNS));
        return lines;
    }

    /** Four digits behind the point of small numbers, two of large ones. */
    private static String written(double value) {
        return String.format(Locale.ROOT, Math.abs(value) < 100 ? "%.4f" : "%.2f", value);
    }
}
