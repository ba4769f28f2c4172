package hocket.workbench.pictures.plot;

import hocket.schedulers.stats.Summary;
import hocket.workbench.pictures.plot.Panel.Style;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * The learning curve of an experiment over several seeds: the mean of a metric and its 95 % confidence band ({@link
 * Summary}), by the steps that its turns of Java count, else by rounds.
 */
public final class SeedCurves {
    private static final int POINTS = 200;

    /** A curve with fewer points is not smoothed. */
    private static final int FEW = 60;

    /** The least number of windows of the moving average in a chart. */
    private static final int MEANS = 30;

    /** The metrics that can be drawn: the first one that every run has. */
    private static final List<Predicate<Series>> CHOICES = List.of(
            series -> series.name().equals("episode_return"),
            series -> series.turn().equals("evaluation") && series.points().size() > 1,
            series -> series.name().equals("loss"));

    private final String name;
    private final List<RunMetrics> runs;

    private SeedCurves(String name, List<RunMetrics> runs) {
        this.name = name;
        this.runs = runs;
    }

    /**
     * Draws the runs of several seeds as {@code seeds.svg} and {@code seeds.png}.
     *
     * @param name name of the experiment
     * @param runs their folders, at least one
     * @param folder the folder, which must exist
     * @return the files; empty if the runs have no metric in common that can be drawn
     * @throws IllegalArgumentException if a folder is not a run, or is damaged
     * @throws IllegalStateException if this machine cannot draw text
     * @throws java.io.UncheckedIOException if a file cannot be read or written
     */
    public static List<Path> write(String name, List<Path> runs, Path folder) {
        List<Panel> panels = new SeedCurves(
                        name,
                        runs.stream()
                                .map(run -> RunMetrics.read(String.valueOf(run.getFileName()), run))
                                .toList())
                .panels();
        if (panels.isEmpty()) {
            return List.of();
        }
        FontSupport.require();
        return new Sheet("seeds", panels).write(folder);
    }

    private List<Panel> panels() {
        for (Predicate<Series> wanted : CHOICES) {
            List<Panel> panels = new ArrayList<>();
            runs.get(0).series().values().stream()
                    .filter(wanted)
                    .map(Series::path)
                    .forEach(path -> panel(path).ifPresent(panels::add));
            if (!panels.isEmpty()) {
                return panels;
            }
        }
        return List.of();
    }

    /** Returns a metric of all runs; empty if a run lacks it, or the runs have no interval in common. */
    private Optional<Panel> panel(String path) {
        boolean bySteps = runs.stream().allMatch(run -> run.steps().isPresent());
        List<Curve> curves = new ArrayList<>();
        for (RunMetrics run : runs) {
            Series series = run.series().get(path);
            if (series == null) {
                return Optional.empty();
            }
            curves.add(finite(new Curve(
                    run.name(), bySteps ? run.bySteps(series) : series.column(Series.Point::round), series.values())));
        }
        double from =
                curves.stream().mapToDouble(curve -> first(curve.x())).max().orElseThrow();
        double to = curves.stream().mapToDouble(curve -> last(curve.x())).min().orElseThrow();
        double[] grid = thinned(IntStream.range(0, curves.get(0).x().length)
                .mapToDouble(i -> curves.get(0).x()[i])
                .filter(x -> x >= from && x <= to)
                .toArray());
        if (grid.length < 2) {
            return Optional.empty();
        }
        double width = grid.length < FEW ? 0 : new Extent(from, to).part(MEANS);
        List<Curve> smooth = curves.stream().map(curve -> curve.smoothed(width)).toList();
        return Optional.of(panel(path, bySteps, smooth, grid, width));
    }

    private Panel panel(String path, boolean bySteps, List<Curve> curves, double[] grid, double width) {
        String across = bySteps ? "step" : "round";
        String label = "mean of " + curves.size() + " seeds"
                + (width == 0 ? "" : String.format(Locale.ROOT, ", each over %,d %ss", Math.round(width), across));
        double[] mean = new double[grid.length];
        double[] low = new double[grid.length];
        double[] high = new double[grid.length];
        for (int i = 0; i < grid.length; i++) {
            double x = grid[i];
            Summary summary =
                    Summary.of(curves.stream().mapToDouble(curve -> curve.at(x)).toArray());
            mean[i] = summary.mean();
            low[i] = summary.meanLow();
            high[i] = summary.meanHigh();
        }
        return new Panel(
                path,
                name,
                across,
                path.substring(path.indexOf('/') + 1).replace('_', ' '),
                Style.PLAIN,
                new Extent(Math.min(0, grid[0]), last(grid)),
                List.of(new Curve(label, grid, mean)),
                List.of(Curve.outline("95 % interval of the mean", grid, low, high)));
    }

    /** Returns the points that can be drawn. */
    private static Curve finite(Curve curve) {
        int[] kept = IntStream.range(0, curve.x().length)
                .filter(i -> Double.isFinite(curve.y()[i]))
                .toArray();
        return new Curve(
                curve.label(),
                IntStream.of(kept).mapToDouble(i -> curve.x()[i]).toArray(),
                IntStream.of(kept).mapToDouble(i -> curve.y()[i]).toArray());
    }

    /** Returns at most the given number of points, evenly chosen, with the first and the last. */
    private static double[] thinned(double[] all) {
        if (all.length <= POINTS) {
            return all;
        }
        return IntStream.range(0, POINTS)
                .mapToDouble(i -> all[(int) ((long) i * (all.length - 1) / (POINTS - 1))])
                .toArray();
    }

    private static double first(double[] values) {
        return values.length == 0 ? Double.POSITIVE_INFINITY : values[0];
    }

    private static double last(double[] values) {
        return values.length == 0 ? Double.NEGATIVE_INFINITY : values[values.length - 1];
    }
}
