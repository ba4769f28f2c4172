package hocket.workbench.sweeps;

import hocket.schedulers.checkpoint.FileWork;
import hocket.schedulers.evaluation.Evaluation;
import hocket.schedulers.stats.Summary;
import hocket.workbench.files.UserError;
import hocket.workbench.files.json.JsonDocument;
import hocket.workbench.files.json.JsonLines;
import hocket.workbench.terminal.NumberFormats;
import hocket.workbench.terminal.Terminal;
import hocket.workbench.terminal.TextTable;
import hocket.workbench.terminal.TextTable.Kind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Statistics of several seeds' scores. The interval of a mean is cut at the score's range, which also bounds the mean:
 * its coverage stays the same. A score that is itself the end of an interval, such as {@code return_mean_low}, has
 * neither deviation nor interval, and is in no table.
 *
 * @param experiment name of the experiment
 * @param seeds the seeds in order
 * @param scores scores that all seeds have, by name
 */
public record SeedFacts(String experiment, List<Long> seeds, Map<String, Score> scores) {
    private static final Evaluation.Range ANY =
            new Evaluation.Range(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, false);
    private static final List<String> ENDS = List.of("_low", "_high");

    /**
     * A score.
     *
     * @param values values of the seeds, in order
     * @param mean their mean
     * @param standardDeviation of the values; null for one seed
     * @param meanLow lower end of the mean's 95 % confidence interval, see {@link Summary}, cut at the score's range;
     *     null for one seed
     * @param meanHigh its upper end; null for one seed
     */
    public record Score(
            List<Double> values,
            double mean,
            @Nullable Double standardDeviation,
            @Nullable Double meanLow,
            @Nullable Double meanHigh) {
        static Score of(List<Double> values, Evaluation.Range range) {
            Summary summary =
                    Summary.of(values.stream().mapToDouble(Double::doubleValue).toArray());
            return values.size() == 1
                    ? plain(values)
                    : new Score(
                            values,
                            summary.mean(),
                            summary.deviation(),
                            Math.max(range.least(), summary.meanLow()),
                            Math.min(range.most(), summary.meanHigh()));
        }

        /** Returns only the values and their mean. */
        static Score plain(List<Double> values) {
            return new Score(
                    values,
                    Summary.of(values.stream().mapToDouble(Double::doubleValue).toArray())
                            .mean(),
                    null,
                    null,
                    null);
        }
    }

    /** @throws IllegalArgumentException if a score lacks the value of a seed */
    public SeedFacts {
        int count = Objects.requireNonNull(seeds, "seeds are missing").size();
        Objects.requireNonNull(scores, "scores are missing").forEach((name, score) -> {
            if (count == 0 || score.values().size() != count) {
                throw new IllegalArgumentException(
                        name + " has " + score.values().size() + " values of " + count + " seeds");
            }
        });
    }

    /**
     * Returns the statistics of some files of scores, one for each seed.
     *
     * @param ranges ranges of scores, by name
     * @throws IllegalArgumentException if one is damaged
     * @throws java.io.UncheckedIOException if one cannot be read
     */
    static SeedFacts of(String experiment, List<Long> seeds, List<Path> files, Map<String, Evaluation.Range> ranges) {
        List<Map<String, Double>> all = files.stream().map(JsonLines::numbers).toList();
        Map<String, Score> scores = new TreeMap<>();
        for (String name : all.get(0).keySet()) {
            if (all.stream().allMatch(each -> each.containsKey(name))) {
                List<Double> values = all.stream()
                        .map(each -> Objects.requireNonNull(each.get(name)))
                        .toList();
                scores.put(
                        name,
                        isEnd(name, all.get(0).keySet())
                                ? Score.plain(values)
                                : Score.of(values, ranges.getOrDefault(name, ANY)));
            }
        }
        return new SeedFacts(experiment, List.copyOf(seeds), scores);
    }

    /** Returns whether a score is the end of an interval of another one. */
    private static boolean isEnd(String name, Set<String> all) {
        return ENDS.stream()
                .anyMatch(end -> name.endsWith(end) && all.contains(name.substring(0, name.length() - end.length())));
    }

    /**
     * Reads the document of a folder of seeds.
     *
     * @throws UserError if it cannot be read or is damaged
     */
    public static SeedFacts read(Path file) {
        return UserError.unless(() -> {
            String text = FileWork.get(file + " cannot be read", () -> Files.readString(file));
            try {
                return JsonDocument.read(text, SeedFacts.class);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(file + " is damaged: " + e.getMessage(), e);
            }
        });
    }

    String json() {
        return JsonDocument.of(this) + "\n";
    }

    /** Returns a table of the scores. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        long first = seeds.get(0);
        long last = seeds.get(seeds.size() - 1);
        lines.add(experiment + ", seeds "
                + (last - first == seeds.size() - 1
                        ? first + " to " + last
                        : seeds.stream().map(String::valueOf).collect(Collectors.joining(", "))));
        TextTable table = new TextTable(Kind.NAME, Kind.NUMBER, Kind.NUMBER, Kind.NAME);
        table.row("", "mean", "std. dev.", "95 % interval of the mean");
        scores.forEach((name, score) -> {
            if (!isEnd(name, scores.keySet())) {
                table.row(
                        name,
                        NumberFormats.score(score.mean()),
                        score.standardDeviation() == null ? "" : NumberFormats.score(score.standardDeviation()),
                        score.meanLow() == null || score.meanHigh() == null
                                ? ""
                                : NumberFormats.score(score.meanLow()) + " to "
                                        + NumberFormats.score(score.meanHigh()));
            }
        });
        lines.addAll(table.lines(Terminal.COLUMNS));
        return lines;
    }
}
