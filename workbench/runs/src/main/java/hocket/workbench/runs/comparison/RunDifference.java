package hocket.workbench.runs.comparison;

import hocket.workbench.files.experiment.WrittenSettings;
import hocket.workbench.runs.Provenance;
import hocket.workbench.runs.Provenance.Content;
import hocket.workbench.runs.Provenance.Feed;
import hocket.workbench.runs.Provenance.RunSession;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.terminal.TextPage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The differences of two runs.
 *
 * @param equal whether there is no difference
 * @param left the first run's folder
 * @param right the other's
 * @param settings settings that differ
 * @param data data that differs, by content
 * @param software software that differs: versions, kernels, implementations of programs, and added classes
 * @param machine differences of the machines
 * @param unknown runs without provenance, whose origin is unknown
 * @param metrics the first difference of their metrics
 */
public record RunDifference(
        boolean equal,
        String left,
        String right,
        List<Difference> settings,
        List<Difference> data,
        List<Difference> software,
        List<Difference> machine,
        List<String> unknown,
        MetricDifference metrics) {
    private static final int COLUMN = 10;

    /**
     * A difference between the runs.
     *
     * @param path of a setting, or the name of the thing
     * @param left in the first run; unknown if absent
     * @param right in the second run
     */
    public record Difference(
            String path, @Nullable String left, @Nullable String right) {
        String sentence() {
            return path + ": " + shown(left) + " | " + shown(right);
        }

        private static String shown(@Nullable String value) {
            return value == null ? "(none)" : value.isEmpty() ? "\"\"" : value;
        }
    }

    /**
     * Compares two run folders in their final state.
     *
     * @throws hocket.workbench.files.UserError if one is not a run, or one of its files cannot be read
     */
    public static RunDifference of(RunFolder left, RunFolder right) {
        left.requireRun();
        right.requireRun();
        List<Difference> settings = differences(
                WrittenSettings.present(left.experiment()).byPath(),
                WrittenSettings.present(right.experiment()).byPath());
        Optional<RunSession> one = Provenance.of(left).map(Provenance::last);
        Optional<RunSession> other = Provenance.of(right).map(Provenance::last);
        List<String> unknown = new ArrayList<>();
        if (one.isEmpty()) {
            unknown.add(left.toString());
        }
        if (other.isEmpty()) {
            unknown.add(right.toString());
        }
        List<Difference> data = differences(one, other, RunDifference::data);
        List<Difference> software = differences(one, other, RunDifference::software);
        List<Difference> machine = differences(one, other, RunDifference::machine);
        MetricDifference metrics = MetricDifference.of(left, right);
        boolean equal = metrics.equal()
                && settings.isEmpty()
                && data.isEmpty()
                && software.isEmpty()
                && machine.isEmpty()
                && unknown.size() != 1;
        return new RunDifference(
                equal, left.toString(), right.toString(), settings, data, software, machine, unknown, metrics);
    }

    private static List<Difference> differences(
            Optional<RunSession> left, Optional<RunSession> right, Function<RunSession, Map<String, String>> facts) {
        return left.isPresent() && right.isPresent()
                ? differences(facts.apply(left.get()), facts.apply(right.get()))
                : List.of();
    }

    private static List<Difference> differences(Map<String, String> left, Map<String, String> right) {
        return WrittenSettings.changes(left, right).stream()
                .map(change -> new Difference(
                        change.path(),
                        change.left().orElse(null),
                        change.right().orElse(null)))
                .toList();
    }

    private static Map<String, String> data(RunSession runSession) {
        Map<String, String> facts = new LinkedHashMap<>();
        for (Feed feed : runSession.feeds()) {
            for (int i = 0; i < feed.origins().size(); i++) {
                facts.put(feed.name() + "/" + i, feed.origins().get(i).described());
            }
        }
        return facts;
    }

    private static Map<String, String> software(RunSession runSession) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("hocket", runSession.software().hocket());
        facts.put("java", runSession.software().java());
        facts.put("kernels", runSession.software().kernels());
        runSession.software().programs().forEach((program, lowering) -> facts.put("program " + program, lowering));
        for (Content classes : runSession.classpath()) {
            facts.put("classpath/" + classes.name(), classes.sha256());
        }
        return facts;
    }

    private static Map<String, String> machine(RunSession runSession) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("system", runSession.machine().system());
        facts.put("processor", runSession.machine().processor());
        facts.put("cores", Integer.toString(runSession.machine().cores()));
        facts.put("threads", Integer.toString(runSession.machine().threads()));
        return facts;
    }

    /** Returns the lines of the text. */
    public List<String> lines() {
        TextPage textPage = new TextPage();
        add(textPage, "settings", settings);
        if (unknown.isEmpty()) {
            add(textPage, "data", data);
            add(textPage, "software", software);
            add(textPage, "machine", machine);
        } else {
            textPage.entry(
                    "data",
                    COLUMN,
                    "not known, nor software and machine: there is no provenance.json in "
                            + String.join(" and ", unknown));
        }
        textPage.entry("metrics", COLUMN, metrics.sentence());
        return textPage.lines();
    }

    private static void add(TextPage textPage, String what, List<Difference> differences) {
        textPage.entry(what, COLUMN, differences.isEmpty() ? "equal" : "differ");
        differences.forEach(difference -> textPage.entry("", COLUMN, difference.sentence()));
    }
}
