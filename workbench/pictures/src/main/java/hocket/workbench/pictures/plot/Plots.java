package hocket.workbench.pictures.plot;

import hocket.schedulers.checkpoint.FileWork;
import hocket.workbench.pictures.plot.Panel.Style;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Plots the metrics of runs on up to four sheets: losses, scores, gradients and others. The turns of one run share a
 * chart; of several runs, each metric has a chart with all runs. The horizontal axis shows the steps that turns of Java
 * count, else epochs, else rounds. A chart of a short part of a run, such as a phase, shows that part.
 */
public final class Plots {
    private static final String LOSS = "loss";
    private static final String GRADIENT_NORM = "gradient_norm";
    /** The share of a run below which a chart shows its part alone. */
    private static final double PART = 0.25;

    private static final Set<String> JUDGES = Set.of("evaluation", "validation");

    private final List<RunMetrics> runs;
    private final By by;

    /** The unit of the horizontal axes. */
    private enum By {
        EPOCH,
        STEP,
        ROUND
    }

    private Plots(List<RunMetrics> runs) {
        this.runs = runs;
        boolean steps = runs.stream().allMatch(run -> run.steps().isPresent());
        boolean epochs = runs.stream().allMatch(RunMetrics::hasEpochsThroughout);
        this.by = steps ? By.STEP : epochs ? By.EPOCH : By.ROUND;
    }

    /** Returns all metrics of one run. Throws as {@link #read}. */
    public static Plots of(Path run) {
        return read(List.of(run), List.of());
    }

    /**
     * Reads runs.
     *
     * @param folders the runs' folders, at least one; a run is called by the last part of its folder, or the whole path
     *     if that is not unique
     * @param patterns patterns of metrics such as {@code d/loss}, in which {@code *} stands for any text; empty for all
     * @throws IllegalArgumentException if a folder is not a run, is damaged or is named twice, or a pattern matches no
     *     metric
     * @throws UncheckedIOException if a file cannot be read
     */
    public static Plots read(List<Path> folders, List<String> patterns) {
        List<RunMetrics> runs = new ArrayList<>();
        List<Path> whole = folders.stream()
                .map(folder -> folder.toAbsolutePath().normalize())
                .toList();
        for (int i = 0; i < whole.size(); i++) {
            Path folder = whole.get(i);
            if (whole.indexOf(folder) < i) {
                throw new IllegalArgumentException("run " + folders.get(i) + " is named twice");
            }
            Path last = folder.getFileName();
            boolean unique = whole.stream()
                            .filter(other -> String.valueOf(other.getFileName()).equals(String.valueOf(last)))
                            .count()
                    == 1;
            runs.add(RunMetrics.read(
                    unique ? String.valueOf(last) : folders.get(i).toString(), folders.get(i)));
        }
        return new Plots(patterns.isEmpty() ? runs : chosen(runs, patterns));
    }

    private static List<RunMetrics> chosen(List<RunMetrics> runs, List<String> patterns) {
        Set<String> all = new LinkedHashSet<>();
        runs.forEach(run -> all.addAll(run.series().keySet()));
        Predicate<String> wanted = path -> false;
        for (String pattern : patterns) {
            Predicate<String> fits = Stream.of(pattern.split("\\*", -1))
                    .map(Pattern::quote)
                    .collect(Collectors.collectingAndThen(Collectors.joining(".*"), Pattern::compile))
                    .asMatchPredicate();
            if (all.stream().noneMatch(fits)) {
                throw new IllegalArgumentException(
                        "no series fits --series " + pattern + "; there are " + String.join(", ", all));
            }
            wanted = wanted.or(fits);
        }
        Predicate<String> any = wanted;
        return runs.stream().map(run -> run.only(any)).toList();
    }

    /**
     * Draws every sheet that has a metric.
     *
     * @param folder the output folder; created if missing
     * @return the written files: an SVG and a PNG for each sheet
     * @throws IllegalStateException if this machine cannot draw text
     * @throws UncheckedIOException if a file cannot be written
     */
    public List<Path> write(Path folder) {
        FontSupport.require();
        make(folder);
        List<Path> written = new ArrayList<>();
        for (Sheet sheet : sheets()) {
            written.addAll(sheet.write(folder));
        }
        return written;
    }

    /**
     * Creates a folder if it is missing.
     *
     * @throws UncheckedIOException if it cannot be created
     */
    public static void make(Path folder) {
        FileWork.make("folder " + folder + " could not be made", () -> Files.createDirectories(folder));
    }

    /** Returns the sheets that are not empty. */
    List<Sheet> sheets() {
        Predicate<Series> judged = series -> JUDGES.contains(series.turn());
        Predicate<Series> loss = series -> series.name().equals(LOSS);
        Predicate<Series> gradient = series -> series.name().equals(GRADIENT_NORM);
        Predicate<Series> other = judged.or(loss).or(gradient).negate();
        return Stream.of(
                        new Sheet("losses", panels(judged.negate().and(loss), Style.SMOOTHED)),
                        new Sheet("scores", panels(judged, Style.POINTS)),
                        new Sheet("gradients", panels(judged.negate().and(gradient), Style.SMOOTHED_BY_SIZE)),
                        new Sheet(
                                "metrics",
                                Stream.concat(
                                                panels(other.and(Predicate.not(Series::setting)), Style.SMOOTHED)
                                                        .stream(),
                                                panels(other.and(Series::setting), Style.STAIRS).stream())
                                        .toList()))
                .filter(sheet -> !sheet.panels().isEmpty())
                .toList();
    }

    private List<Panel> panels(Predicate<Series> wanted, Style look) {
        boolean one = runs.size() == 1;
        Map<String, List<Curve>> charts = new LinkedHashMap<>();
        Map<String, String> names = new LinkedHashMap<>();
        for (RunMetrics run : runs) {
            run.series().values().stream().filter(wanted).forEach(series -> {
                Optional<String> end = one ? endOfInterval(run, series) : Optional.empty();
                String name = end.map(each -> series.name().replaceFirst("_" + each + "$", ""))
                        .orElse(series.name());
                String chart = one ? name : series.path();
                String label = one ? series.turn() + end.map(", "::concat).orElse("") : run.name();
                Curve curve = new Curve(label, across(run, series), series.values());
                names.put(chart, name);
                charts.computeIfAbsent(chart, title -> new ArrayList<>())
                        .add(look == Style.STAIRS ? curve.stairs(end(run)) : curve);
            });
        }
        List<Panel> panels = new ArrayList<>();
        charts.forEach((chart, curves) -> panels.add(new Panel(
                one ? title(chart) : chart,
                one ? runs.get(0).name() : "",
                by.name().toLowerCase(Locale.ROOT),
                words(names.getOrDefault(chart, chart)),
                look,
                reach(curves),
                curves)));
        return panels;
    }

    /** Returns which end of the interval of another series of the same turn a series is: {@code low} or {@code high}. */
    private static Optional<String> endOfInterval(RunMetrics run, Series series) {
        return Stream.of("low", "high")
                .filter(end -> series.path().endsWith("_" + end)
                        && run.series().containsKey(series.path().replaceFirst("_" + end + "$", "")))
                .findFirst();
    }

    private double[] across(RunMetrics run, Series series) {
        return switch (by) {
            case EPOCH -> series.column(Series.Point::epoch);
            case STEP -> run.bySteps(series);
            case ROUND -> series.column(Series.Point::round);
        };
    }

    /** Returns the range from the start to the end of the longest run, or that of curves which cover little of it. */
    private Extent reach(List<Curve> curves) {
        double longest = runs.stream().mapToDouble(this::end).max().orElse(0);
        double least = curves.stream()
                .flatMapToDouble(curve -> Arrays.stream(curve.x()))
                .min()
                .orElse(0);
        double greatest = curves.stream()
                .flatMapToDouble(curve -> Arrays.stream(curve.x()))
                .max()
                .orElse(0);
        boolean isPart = greatest > least && greatest - least < PART * longest;
        return isPart ? new Extent(least, greatest) : new Extent(0, Math.max(longest, Double.MIN_NORMAL));
    }

    private double end(RunMetrics run) {
        return switch (by) {
            case EPOCH -> run.epochs();
            case STEP -> run.endBySteps();
            case ROUND -> run.rounds();
        };
    }

    private static String title(String name) {
        String words = words(name);
        return words.isEmpty() ? words : Character.toUpperCase(words.charAt(0)) + words.substring(1);
    }

    private static String words(String name) {
        return name.replace('_', ' ');
    }
}
