package hocket.workbench.sweeps.aggregates;

import hocket.schedulers.checkpoint.AtomicFile;
import hocket.workbench.files.UserError;
import hocket.workbench.pictures.plot.AggregatePlot;
import hocket.workbench.runs.CommandFailure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A folder of aggregates: {@code aggregate.json}, {@code aggregate.svg} and {@code aggregate.png}.
 *
 * @param path the folder
 */
public record AggregateFolder(Path path) {
    private static final String NAME = "aggregate";

    /**
     * Writes the files, replacing existing ones; the folder is made if it is missing.
     *
     * @return the files
     * @throws UserError if one cannot be written
     * @throws CommandFailure if this machine cannot draw text
     */
    public List<Path> write(AggregateFacts facts) {
        Path document = path.resolve(NAME + ".json");
        UserError.unlessMade(document + " could not be written", () -> {
            Files.createDirectories(path);
            AtomicFile.write(document, facts.json());
        });
        List<Path> written = new ArrayList<>(List.of(document));
        written.addAll(CommandFailure.unless(() -> plot(facts).write(NAME, path)));
        return written;
    }

    private static AggregatePlot plot(AggregateFacts facts) {
        return new AggregatePlot(
                facts.scoreName(),
                numbers(facts.thresholds()),
                facts.algorithms().stream().map(AggregateFolder::drawn).toList());
    }

    private static AggregatePlot.Algorithm drawn(AggregateFacts.Algorithm algorithm) {
        return new AggregatePlot.Algorithm(
                algorithm.name(),
                algorithm.iqm().value(),
                algorithm.iqm().low(),
                algorithm.iqm().high(),
                numbers(algorithm.profile().share()),
                numbers(algorithm.profile().low()),
                numbers(algorithm.profile().high()));
    }

    private static double[] numbers(List<Double> numbers) {
        return numbers.stream().mapToDouble(Double::doubleValue).toArray();
    }
}
