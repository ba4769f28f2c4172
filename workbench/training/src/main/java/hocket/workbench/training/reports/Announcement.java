package hocket.workbench.training.reports;

import hocket.schedulers.Phase;
import hocket.schedulers.Setup;
import hocket.schedulers.SourceDescription;
import hocket.workbench.files.experiment.ExperimentSpec.RecordedSpec;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.SelectedExperiment;
import hocket.workbench.runs.Sessions;
import hocket.workbench.terminal.NumberFormats;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/** The lines that describe a run before its first turn. */
public final class Announcement {
    private Announcement() {}

    /**
     * Returns a line on the run, then one each on data, changed settings, place and machine, and warnings of a new run.
     *
     * @param changes overrides of settings, as given on the command line
     * @param resumedAt turns that had been taken before
     * @param quiet whether only the log receives the lines
     */
    public static List<String> of(
            SelectedExperiment selectedExperiment,
            List<String> changes,
            RunFolder folder,
            OptionalLong resumedAt,
            RecordedSpec recorded,
            int threads,
            boolean quiet) {
        List<String> lines = new ArrayList<>();
        String summary = selectedExperiment.summary();
        lines.add(selectedExperiment.name() + (summary.isEmpty() ? "" : ": " + summary));
        Setup setup = selectedExperiment.setup();
        for (Setup.Feed feed : setup.feeds()) {
            lines.add("data     " + data(feed.source(), setup));
            feed.source().notes().forEach(note -> lines.add("         " + note));
        }
        if (!changes.isEmpty()) {
            lines.add("set      " + String.join(", ", changes));
        }
        if (setup.phases().size() > 1) {
            lines.add("phases   " + setup.phases().stream().map(Phase::name).collect(Collectors.joining(", then ")));
        }
        lines.add("into     " + folder
                + (resumedAt.isPresent() ? ", on from turn " + NumberFormats.grouped(resumedAt.getAsLong()) : ""));
        lines.add("runs on  " + recorded.computedBy() + ", " + NumberFormats.counted(threads, "thread")
                + (setup.division().shares() == 1 ? "" : ", " + setup.division().shares() + " workers")
                + "; Ctrl-C saves and stops");
        if (resumedAt.isEmpty()) {
            List<String> warnings = quiet // nobody waits for the warnings of a rehearsal
                    ? setup.warnings()
                    : selectedExperiment.warnings();
            warnings.forEach(warning -> lines.add("warning  " + warning));
        }
        return lines;
    }

    /**
     * Returns the differences from the run before, one a line.
     *
     * @param start the beginning of this run
     */
    public static List<String> changed(Sessions sessions, Sessions.Start start) {
        List<String> lines = new ArrayList<>();
        boolean isRestarted = start == Sessions.Start.RESTARTED;
        if (isRestarted) {
            lines.add("restart  stopped before its first checkpoint: there is nothing to resume from");
        }
        sessions.edited().forEach(change -> lines.add("edited   " + change));
        sessions.differences()
                .forEach(difference -> lines.add(
                        isRestarted
                                ? "differs  " + difference
                                : "forced   " + difference + ": results differ from here on"));
        return lines;
    }

    private static String data(SourceDescription source, Setup setup) {
        return source.columns().stream()
                        .filter(column -> setup.descending().stream()
                                .anyMatch(turn ->
                                        turn.program().input(column.name()).isPresent()))
                        .map(column -> column.name() + " " + column.shape())
                        .collect(Collectors.joining(", "))
                + ", " + NumberFormats.grouped(source.batch()) + " rows a turn";
    }
}
