package hocket.schedulers.inference;

import hocket.programs.Program;
import hocket.programs.Session.Feeds;
import hocket.programs.execution.Lowering;
import hocket.scopes.Declaration;
import hocket.scopes.Parameters;
import hocket.scopes.Path;
import hocket.scopes.Snapshot;
import hocket.scopes.Storage;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/** A trained model on its own store. Only the thread that made it uses and closes it. */
final class InferenceSession implements AutoCloseable {
    private final TrainedModel model;
    private final Parameters parameters;
    private final InferenceFunction.Bound bound;

    InferenceSession(TrainedModel model, int threads) {
        this.model = model;
        SortedMap<Path, Declaration> read = new TreeMap<>();
        Storage storage = Parameters.plainStorage();
        for (Program program : model.function().programs()) {
            program.parameters()
                    .forEach((path, value) -> read.put(path, Declaration.zeros(path, value.shape(), value.type())));
            Storage needed = Lowering.of(program).storage();
            storage = needed.preference() > storage.preference() ? needed : storage;
        }
        SortedMap<Path, Tensor> values = new TreeMap<>();
        read.keySet().forEach(path -> values.put(path, model.values().tensor(path.text())));
        parameters = Parameters.initialise(read.values(), Streams.seed(0), storage);
        try {
            parameters.restore(new Snapshot(values));
            bound = model.function().bind(parameters, threads);
        } catch (RuntimeException | Error e) {
            parameters.close();
            throw e;
        }
    }

    TrainedModel model() {
        return model;
    }

    Outputs infer(Feeds rows, OptionalLong seed) {
        return new Outputs(model.step(), model.function().outputs(), bound.infer(rows, seed));
    }

    @Override
    public void close() {
        try (parameters) {
            bound.close();
        }
    }
}
