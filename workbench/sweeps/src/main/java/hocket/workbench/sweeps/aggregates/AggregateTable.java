package hocket.workbench.sweeps.aggregates;

import hocket.schedulers.stats.Estimate;
import hocket.workbench.sweeps.aggregates.AggregateFacts.Algorithm;
import hocket.workbench.sweeps.aggregates.AggregateFacts.Improvement;
import hocket.workbench.terminal.NumberFormats;
import hocket.workbench.terminal.Terminal;
import hocket.workbench.terminal.TextTable;
import hocket.workbench.terminal.TextTable.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/** Aggregates as text: a table of the algorithms, and below it the probability of improvement of each pair. */
public record AggregateTable(AggregateFacts facts) {
    private static final double LARGE = 100; // needs no more than two decimals
    private static final double HUGE = 1e5; // all digits would not fit
    private static final String SHARE = "%.4f";

    /** Returns the lines, none of them wider than a terminal. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(facts.scoreName() + ", 95 % intervals of "
                + NumberFormats.counted(facts.resamples(), "bootstrap sample") + " over seeds");
        lines.addAll(algorithms());
        if (!facts.improvements().isEmpty()) {
            lines.add("");
            lines.addAll(improvements());
        }
        List<String> notes = notes();
        if (!notes.isEmpty()) {
            lines.add("");
            lines.addAll(notes);
        }
        return lines;
    }

    private List<String> notes() {
        List<String> notes = new ArrayList<>();
        if (!facts.normalised() && facts.tasks().size() > 1) {
            notes.add("not normalised: tasks with large scores count most; see --range");
        }
        if (facts.algorithms().stream().anyMatch(algorithm -> algorithm.fewestSeeds() == 1)) {
            notes.add("some tasks have one seed, so intervals are too narrow");
        }
        return notes;
    }

    private List<String> algorithms() {
        String format = format();
        TextTable table =
                new TextTable(Kind.NAME, Kind.NUMBER, Kind.NUMBER, Kind.NUMBER, Kind.NUMBER, Kind.NUMBER, Kind.NUMBER);
        table.row("", "tasks", "runs", "IQM", "95 % interval", "median", "mean");
        for (Algorithm algorithm : facts.algorithms()) {
            table.row(
                    algorithm.name(),
                    Integer.toString(facts.tasks().size()),
                    Integer.toString(algorithm.runs()),
                    text(format, algorithm.iqm().value()),
                    interval(format, algorithm.iqm()),
                    text(format, algorithm.median().value()),
                    text(format, algorithm.mean().value()));
        }
        return table.lines(Terminal.COLUMNS);
    }

    /** Returns the format of all numbers of the table, by the largest. */
    private String format() {
        double largest = facts.algorithms().stream()
                .flatMap(algorithm -> Stream.of(algorithm.iqm(), algorithm.median(), algorithm.mean()))
                .flatMapToDouble(estimate -> DoubleStream.of(estimate.value(), estimate.low(), estimate.high()))
                .map(Math::abs)
                .max()
                .orElse(0);
        return largest >= HUGE ? "%.3e" : largest >= LARGE ? "%.2f" : SHARE;
    }

    private List<String> improvements() {
        TextTable table = new TextTable(Kind.NAME, Kind.NUMBER, Kind.NUMBER);
        table.row("probability of improvement", "", "95 % interval");
        for (Improvement each : facts.improvements()) {
            table.row(
                    each.algorithm() + " over " + each.over(),
                    text(SHARE, each.probability().value()),
                    interval(SHARE, each.probability()));
        }
        return table.lines(Terminal.COLUMNS);
    }

    private static String interval(String format, Estimate estimate) {
        return text(format, estimate.low()) + " to " + text(format, estimate.high());
    }

    private static String text(String format, double number) {
        return String.format(Locale.ROOT, format, number);
    }
}
