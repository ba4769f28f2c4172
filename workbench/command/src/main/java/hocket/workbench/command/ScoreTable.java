package hocket.workbench.command;

import hocket.schedulers.evaluation.Evaluation.Range;
import hocket.schedulers.evaluation.Evaluation.Reference;
import hocket.workbench.files.json.JsonLines;
import hocket.workbench.terminal.NumberFormats;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Scores with those of references, as a table or as JSON.
 *
 * @param rows N, the number of scored rows; empty for scores that are not of rows
 * @param scores by name
 * @param references scores of other rows, for comparison
 * @param ranges of scores by name
 */
record ScoreTable(
        OptionalInt rows, SortedMap<String, Double> scores, List<Reference> references, Map<String, Range> ranges) {
    /**
     * Returns values for {@link JsonLines#line}: the given ones, {@code rows} where there are some, the scores, and {@code
     * references} by name where there are some, each with its {@code rows}.
     */
    Map<String, Object> json(Map<String, Object> first) {
        Map<String, Object> values = new LinkedHashMap<>(first);
        rows.ifPresent(count -> values.put("rows", count));
        values.putAll(JsonLines.scores(scores, ranges));
        Map<String, Object> others = new LinkedHashMap<>();
        for (Reference reference : references) {
            Map<String, Object> each = new LinkedHashMap<>(Map.of("rows", reference.rows()));
            each.putAll(JsonLines.scores(reference.scores(), ranges));
            others.put(reference.name(), each);
        }
        if (!others.isEmpty()) {
            values.put("references", others);
        }
        return values;
    }

    /** Returns the lines of a table, with a column for each reference and a line that explains it. */
    List<String> lines() {
        int width = Stream.concat(scores.keySet().stream(), references.stream().map(Reference::name))
                .mapToInt(String::length)
                .max()
                .orElse(1);
        List<String> lines = new ArrayList<>();
        if (!references.isEmpty()) {
            String scored = rows.isPresent() ? "samples" : "run";
            lines.add(line(width, "", scored, references.stream().map(Reference::name)));
        }
        rows.ifPresent(count -> lines.add(line(
                width,
                "N",
                Integer.toString(count),
                references.stream().map(reference -> Integer.toString(reference.rows())))));
        List<Map<String, Object>> others = references.stream()
                .map(reference -> JsonLines.scores(reference.scores(), ranges))
                .toList();
        JsonLines.scores(scores, ranges)
                .forEach((name, value) ->
                        lines.add(line(width, name, text(value), others.stream().map(each -> text(each.get(name))))));
        if (!references.isEmpty()) {
            lines.add("");
        }
        references.forEach(reference -> lines.add(line(width, reference.name(), reference.meaning(), Stream.empty())));
        return lines;
    }

    private static String line(int width, String name, String first, Stream<String> others) {
        StringBuilder line = new StringBuilder(String.format("%-" + width + "s  %-7s", name, first));
        others.forEach(other -> line.append(String.format("  %-9s", other)));
        return line.toString().stripTrailing();
    }

    private static String text(@Nullable Object value) {
        if (value instanceof Double number) {
            return NumberFormats.score(number);
        }
        return value == null ? "-" : value.toString();
    }
}
