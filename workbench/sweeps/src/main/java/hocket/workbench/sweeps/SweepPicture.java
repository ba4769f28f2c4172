package hocket.workbench.sweeps;

import hocket.workbench.pictures.plot.ParallelCoordinates;
import hocket.workbench.pictures.plot.ParallelCoordinates.Axis;
import hocket.workbench.pictures.plot.ParallelCoordinates.Line;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Draws the trials of a sweep as lines through their settings.
 *
 * @param standings the best first
 */
record SweepPicture(SweepFile file, List<TrialProgress> standings) {
    private static final String NAME = "sweep";

    /** Writes the files and returns them. Throws as {@link ParallelCoordinates#write}. */
    List<Path> write(Path folder) {
        List<Axis> axes = new ArrayList<>();
        file.spec().parameters().forEach((name, range) -> axes.add(axis(name, range)));
        List<Line> lines = new ArrayList<>();
        for (TrialProgress each : standings) {
            lines.add(new Line(
                    "trial " + each.trial().number(),
                    List.copyOf(each.trial().settings().values()),
                    each.value().orElse(Double.NaN),
                    each.status() == TrialProgress.Status.PRUNED));
        }
        return new ParallelCoordinates(
                        file.name(),
                        file.spec().objective().name(),
                        file.spec().objective().larger(),
                        axes,
                        lines)
                .write(NAME, folder);
    }

    static Axis axis(String name, RangeSpec range) {
        List<String> extremes = range.extremes();
        return range.isNamed()
                ? Axis.named(name, extremes)
                : Axis.numbered(
                        name,
                        Double.parseDouble(extremes.get(0)),
                        Double.parseDouble(extremes.get(1)),
                        range.isLogarithmic(),
                        range.isWhole());
    }
}
