package hocket.workbench.runs.exports;

import hocket.programs.Program;
import hocket.programs.Session;
import hocket.programs.Session.Feeds;
import hocket.programs.Value;
import hocket.programs.execution.Lowering;
import hocket.programs.operators.Leaf;
import hocket.programs.operators.Leaf.Distribution;
import hocket.schedulers.Setup;
import hocket.schedulers.inference.ProgramInference;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Path;
import hocket.scopes.Shape;
import hocket.scopes.Stream;
import hocket.scopes.Tensor;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.LongStream;

/**
 * Some rows of inputs and a program's outputs for them on one thread, to check a model that is loaded elsewhere. Noise
 * is sampled as in training, indices count up, other numbers are standard normal.
 *
 * @param tensors inputs by name, {@code input.noise}, and outputs by position, {@code output.0}
 * @param computedBy the engine that ran the program
 */
public record ExportExample(SortedMap<String, Tensor> tensors, String computedBy) {
    private static final int ROWS = 4;

    /**
     * Computes an example.
     *
     * @param setup the setup of the program
     * @param parameters the parameters that the program reads; their seed is also the seed of the inputs
     * @throws hocket.programs.execution.ProgramException if an engine fails
     */
    static ExportExample of(Program program, Setup setup, Parameters parameters) {
        SortedMap<String, Tensor> tensors = new TreeMap<>();
        Feeds feeds = Feeds.rows(ROWS);
        for (Value input : program.inputs()) {
            Tensor rows = rows(program, input, setup, parameters);
            tensors.put("input." + input.path(), rows);
            feeds = feeds.and(input.path().text(), rows);
        }
        try (Session session = Session.over(parameters, 1)) {
            List<Tensor> outputs = session.run(program, feeds);
            for (int i = 0; i < outputs.size(); i++) {
                tensors.put("output." + i, outputs.get(i));
            }
        }
        return new ExportExample(tensors, Lowering.of(program).title());
    }

    /** Returns the name of an output: its path without the call number. */
    public static String name(Value output) {
        return output.path().withoutCalls().text();
    }

    /** Returns the noise distribution that an input replaces; empty for other inputs. */
    public static Optional<Distribution> distribution(Value input, Setup setup) {
        return setup.networks().programs().stream()
                .flatMap(program -> program.noises().stream())
                .filter(noise -> noise.path().equals(input.path()))
                .map(noise -> ((Leaf.Noise) noise.operator()).distribution())
                .findFirst();
    }

    private static Tensor rows(Program program, Value input, Setup setup, Parameters parameters) {
        Shape shape = input.shape().prepend(ROWS);
        if (input.type() == ElementType.INT64) {
            int bound = Math.max(1, program.indexBound(input)); // of all elements
            return Tensor.of(
                    shape, LongStream.range(0, shape.size()).map(i -> i % bound).toArray());
        }
        Stream stream = parameters
                .streams()
                .at(Path.of("export").resolve(input.path().withoutCalls().text()));
        return ProgramInference.drawn(
                distribution(input, setup).orElse(new Distribution.Normal()), stream, shape, input.type());
    }
}
