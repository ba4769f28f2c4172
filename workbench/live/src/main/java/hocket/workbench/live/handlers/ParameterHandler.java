package hocket.workbench.live.handlers;

import hocket.schedulers.Event;
import hocket.schedulers.turns.Writes;
import hocket.scopes.Declaration;
import hocket.scopes.Path;
import hocket.scopes.Tensor;
import hocket.workbench.live.http.AccessGuard;
import hocket.workbench.live.http.HttpError;
import hocket.workbench.live.http.Query;
import hocket.workbench.live.views.ServedRun;
import hocket.workbench.runs.Histogram;
import hocket.workbench.runs.SelectedExperiment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Serves statistics of a run's parameters. */
public final class ParameterHandler {
    private ParameterHandler() {}

    public record Measured(
            String path,
            List<Integer> shape,
            String type,
            String kind,
            long count,
            double norm,
            double mean,
            double smallest,
            double largest,
            List<String> writtenBy) {}

    public record Parameters(Event.Position at, List<Measured> parameters) {}

    public static Parameters parameters(ServedRun run, ServedRun.Moment moment) {
        SelectedExperiment selectedExperiment = run.experiment();
        Map<Path, Declaration> declared = new LinkedHashMap<>();
        selectedExperiment.setup().declarations().forEach(each -> declared.put(each.path(), each));
        Map<Path, List<String>> writers = Writes.of(
                        selectedExperiment.setup().turnsByName().values(),
                        selectedExperiment.setup().declarations())
                .byPath();
        List<Measured> all = new ArrayList<>();
        moment.snapshot()
                .tensors()
                .forEach((path, tensor) ->
                        all.add(measured(path, tensor, declared.get(path), writers.getOrDefault(path, List.of()))));
        return new Parameters(moment.at(), all);
    }

    private static Measured measured(
            Path path, Tensor tensor, @Nullable Declaration declaration, List<String> writtenBy) {
        double[] values = tensor.doubles();
        double squares = 0;
        double sum = 0;
        double smallest = Double.POSITIVE_INFINITY;
        double largest = Double.NEGATIVE_INFINITY;
        for (double value : values) {
            squares += value * value;
            sum += value;
            smallest = Math.min(smallest, value);
            largest = Math.max(largest, value);
        }
        Declaration.Kind kind = declaration == null ? Declaration.Kind.WEIGHT : declaration.kind();
        return new Measured(
                path.text(),
                Arrays.stream(tensor.shape().extents()).boxed().toList(),
                tensor.type().toString().toLowerCase(Locale.ROOT),
                kind.word(),
                values.length,
                Math.sqrt(squares),
                values.length == 0 ? 0 : sum / values.length,
                smallest,
                largest,
                writtenBy);
    }

    /** @param edges one more than the counts */
    public record Binned(String path, Event.Position at, double[] edges, long[] counts) {}

    /**
     * Returns a histogram of a parameter's values between its smallest and its largest; values that are not finite are
     * left out.
     */
    public static Binned histogram(ServedRun.Moment moment, Query query) {
        int bins = query.whole("bins");
        String path = query.one("path");
        Histogram of = Histogram.of(tensor(moment, path).doubles(), bins);
        return new Binned(path, moment.at(), of.edges(), of.counts());
    }

    private static Tensor tensor(ServedRun.Moment moment, String text) {
        for (Map.Entry<Path, Tensor> entry : moment.snapshot().tensors().entrySet()) {
            if (entry.getKey().text().equals(text)) {
                return entry.getValue();
            }
        }
        throw HttpError.missing("there is no parameter " + AccessGuard.shown(text));
    }
}
