package hocket.workbench.runs;

import hocket.workbench.experiment.WrittenSettings;
import hocket.workbench.terminal.Page;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * In what two runs differ.
 *
 * @param equal whether in nothing
 * @param left the one run's folder
 * @param right the other's
 * @param settings that differ
 * @param metrics where their figures part
 */
public record RunDifference(
        boolean equal, String left, String right, List<Difference> settings, MetricsParting metrics) {
    private static final int COLUMN = 10;

    /**
     * A thing in which they differ.
     *
     * @param path of a setting, or what it is
     * @param left in the one run; unknown where it has none
     * @param right in the other
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
     * Of two run folders.
     *
     * @throws hocket.workbench.terminal.Refusal if one is none, or one of its files cannot be read
     */
    public static RunDifference of(RunFolder left, RunFolder right) {
        left.requireRun();
        right.requireRun();
        List<Difference> settings =
                WrittenSettings.of(left.experiment()).changes(WrittenSettings.of(right.experiment())).stream()
                        .map(change -> new Difference(
                                change.path(),
                                change.left().orElse(null),
                                change.right().orElse(null)))
                        .toList();
        MetricsParting metrics = MetricsParting.of(left, right);
        return new RunDifference(
                settings.isEmpty() && metrics.equal(), left.toString(), right.toString(), settings, metrics);
    }

    /** For people. */
    public List<String> lines() {
        Page page = new Page();
        add(page, "settings", settings);
        page.entry("metrics", COLUMN, metrics.sentence());
        return page.lines();
    }

    private static void add(Page page, String what, List<Difference> differences) {
        page.entry(what, COLUMN, differences.isEmpty() ? "equal" : "differ");
        differences.forEach(difference -> page.entry("", COLUMN, difference.sentence()));
    }
}
