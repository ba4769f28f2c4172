package hocket.workbench;

import hocket.schedulers.Experiment;
import hocket.schedulers.Source;
import hocket.schedulers.Turn;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What a run says about itself before its first turn. */
final class Announcement {
    private Announcement() {}

    /** A line on what it is, then one each on data, changed settings, place and machine. */
    static List<String> of(PreparedRun run) {
        List<String> lines = new ArrayList<>();
        lines.add(run.choice().name() + ": " + run.choice().definition().summary());
        for (Experiment.Feed feed : run.experiment().feeds()) {
            lines.add("data     " + data(feed.source(), run.experiment()));
        }
        Map<String, Object> changed = run.choice().changed();
        if (!changed.isEmpty()) {
            lines.add("set      "
                    + changed.entrySet().stream()
                            .map(entry -> entry.getKey() + "=" + entry.getValue())
                            .collect(Collectors.joining(", ")));
        }
        lines.add("into     " + run.folder()
                + (run.resumedAt().isPresent()
                        ? ", on from turn " + Figures.grouped(run.resumedAt().getAsLong())
                        : ""));
        lines.add("runs on  " + run.file().lowering() + ", " + run.file().kernels() + " kernels, "
                + run.file().threads() + (run.file().threads() == 1 ? " thread" : " threads")
                + "; Ctrl-C saves and stops");
        return lines;
    }

    private static String data(Source source, Experiment experiment) {
        return source.columns().stream()
                        .filter(column -> experiment.turnsByName().values().stream()
                                .anyMatch(turn -> turn instanceof Turn.Descend descend
                                        && descend.program()
                                                .input(column.name())
                                                .isPresent()))
                        .map(column -> column.name() + " " + column.shape())
                        .collect(Collectors.joining(", "))
                + ", " + Figures.grouped(source.batch()) + " rows a turn";
    }
}
