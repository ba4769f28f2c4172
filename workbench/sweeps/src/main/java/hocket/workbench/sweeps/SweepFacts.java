package hocket.workbench.sweeps;

import hocket.workbench.files.json.JsonDocument;
import hocket.workbench.terminal.NumberFormats;
import hocket.workbench.terminal.Terminal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The results of a sweep.
 *
 * @param sweep its name
 * @param experiment the experiment's name
 * @param objective the objective's name
 * @param larger whether larger ones are better
 * @param trials the best first
 */
record SweepFacts(String sweep, String experiment, String objective, boolean larger, List<TrialFacts> trials) {
    /** The number of rows of the table on a terminal. */
    private static final int MOST_ROWS = 50;

    private static final int LONGEST_REASON = 200;

    /**
     * A trial.
     *
     * @param part the fraction of the whole budget that it trained
     * @param value of the objective, the mean of its seeds
     * @param values by seed
     * @param failed why it failed; null if it did not
     */
    record TrialFacts(
            int trial,
            String status,
            Map<String, String> settings,
            double part,
            @Nullable Double value,
            @Nullable Double standardDeviation,
            List<Double> values,
            @Nullable String failed,
            double seconds) {}

    static SweepFacts of(String name, String experiment, SweepSpec spec, List<TrialProgress> trialProgresses) {
        Rungs rungs = Rungs.of(spec.strategy());
        return new SweepFacts(
                name,
                experiment,
                spec.objective().name(),
                spec.objective().larger(),
                trialProgresses.stream()
                        .map(trialProgress -> facts(trialProgress, rungs))
                        .toList());
    }

    private static TrialFacts facts(TrialProgress trialProgress, Rungs rungs) {
        return new TrialFacts(
                trialProgress.trial().number(),
                trialProgress.status().word(),
                trialProgress.trial().settings(),
                trialProgress.rungs() == 0 ? 0 : rungs.part(trialProgress.rungs() - 1),
                orNull(trialProgress.value()),
                orNull(trialProgress.deviation()),
                trialProgress.values(),
                trialProgress.failed().isEmpty() ? null : trialProgress.failed(),
                Math.rint(trialProgress.seconds() * 100) / 100);
    }

    private static @Nullable Double orNull(OptionalDouble value) {
        return value.isPresent() ? (Double) value.getAsDouble() : null;
    }

    String json() {
        return JsonDocument.of(this) + "\n";
    }

    /** Returns CSV with a header and a line for each trial (RFC 4180, but with plain line ends). */
    String csv() {
        StringBuilder csv = new StringBuilder();
        List<String> head = new ArrayList<>(List.of("trial", "status", "part", objective, "standard_deviation"));
        head.addAll(names());
        head.addAll(List.of("seconds", "failed"));
        row(csv, head);
        for (TrialFacts each : trials) {
            List<String> cells = new ArrayList<>(List.of(
                    Integer.toString(each.trial),
                    each.status,
                    Double.toString(each.part),
                    each.value == null ? "" : Double.toString(each.value),
                    each.standardDeviation == null ? "" : Double.toString(each.standardDeviation)));
            cells.addAll(each.settings.values());
            cells.add(Double.toString(each.seconds));
            cells.add(each.failed == null ? "" : each.failed);
            row(csv, cells);
        }
        return csv.toString();
    }

    private static void row(StringBuilder csv, List<String> cells) {
        csv.append(cells.stream()
                        .map(cell -> cell.matches("[^\",\\r\\n]*") ? cell : '"' + cell.replace("\"", "\"\"") + '"')
                        .collect(Collectors.joining(",")))
                .append('\n');
    }

    private List<String> names() {
        return List.copyOf(trials.get(0).settings.keySet());
    }

    /** Returns a table for people, with reasons of failures. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(sweep + ": " + NumberFormats.counted(trials.size(), "trial") + " of " + experiment + ", " + objective
                + ", " + (larger ? "the larger" : "the smaller") + " the better");
        List<TrialFacts> fine =
                trials.stream().filter(each -> each.failed == null).toList();
        lines.addAll(table(objective, fine.subList(0, Math.min(MOST_ROWS, fine.size()))));
        if (fine.size() > MOST_ROWS) {
            lines.add("and " + (fine.size() - MOST_ROWS) + " more");
        }
        for (TrialFacts each : trials) {
            if (each.failed != null) {
                String why = each.failed.length() > LONGEST_REASON
                        ? each.failed.substring(0, LONGEST_REASON) + "…"
                        : each.failed;
                lines.add("trial " + each.trial + " failed: " + why);
            }
        }
        return lines;
    }

    private static List<String> table(String objective, List<TrialFacts> trials) {
        boolean withDeviation = trials.stream().anyMatch(each -> each.standardDeviation != null);
        boolean withPart = trials.stream().anyMatch(each -> each.part < 1);
        List<String> head = new ArrayList<>(List.of("trial", objective));
        if (withDeviation) {
            head.add("std. dev.");
        }
        if (withPart) {
            head.add("trained");
        }
        List<SettingsTable.Row> rows = new ArrayList<>();
        for (TrialFacts each : trials) {
            List<String> figures = new ArrayList<>(List.of(
                    Integer.toString(each.trial), each.value == null ? each.status : NumberFormats.score(each.value)));
            if (withDeviation) {
                figures.add(each.standardDeviation == null ? "" : NumberFormats.score(each.standardDeviation));
            }
            if (withPart) {
                figures.add(NumberFormats.percent(each.part));
            }
            rows.add(new SettingsTable.Row(figures, each.settings));
        }
        return new SettingsTable(head).lines(rows, Terminal.COLUMNS);
    }
}
