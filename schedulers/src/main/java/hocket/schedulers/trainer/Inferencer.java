package hocket.schedulers.trainer;

import hocket.programs.Program;
import hocket.programs.Session;
import hocket.programs.Session.Feeds;
import hocket.programs.Value;
import hocket.schedulers.State;
import hocket.schedulers.checkpoint.Checkpoints;
import hocket.scopes.Declaration;
import hocket.scopes.Parameters;
import hocket.scopes.Snapshot;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Infers by a model whose parameters were saved: no optimizer, no plan, and of the parameters only those that it reads. Used
 * by the thread that loaded it; close it after use.
 */
public final class Inferencer implements AutoCloseable {
    private static final String PARAMETERS = "parameters";

    private final Program program;
    private final Parameters parameters;
    private final Session session;

    private Inferencer(Program program, Parameters parameters) {
        this.program = program;
        this.parameters = parameters;
        this.session = Session.over(program.graph(), parameters);
    }

    /** Writes the parameters that a model infers by. */
    static void save(Model model, Parameters parameters, Path folder) {
        State values = State.empty();
        for (hocket.scopes.Path path : model.inference().parameters().keySet()) {
            values = values.with(path.text(), parameters.tensor(path.text()));
        }
        Checkpoints.write(folder, 0, State.empty().with(PARAMETERS, values));
    }

    /**
     * Loads what {@link Trainer#saveInferenceModel} saved.
     *
     * @param definition of the model that was trained
     * @throws IOException if there is nothing in the folder, or it is damaged, naming the file
     * @throws IllegalArgumentException if it is of another model, naming path and both shapes
     */
    public static Inferencer load(Model.Definition definition, Path folder) throws IOException {
        Program program = definition.model().inference();
        Snapshot saved = Checkpoints.readLatest(folder).state(PARAMETERS).snapshot();
        SortedMap<hocket.scopes.Path, Declaration> declared = new TreeMap<>();
        program.graph().declarations().forEach(declaration -> declared.put(declaration.path(), declaration));
        declared.keySet().retainAll(program.parameters().keySet());
        Parameters parameters = Parameters.initialise(declared.values(), Streams.seed(0));
        try {
            parameters.restore(saved);
            return new Inferencer(program, parameters);
        } catch (IllegalArgumentException e) {
            parameters.close();
            throw new IllegalArgumentException(folder + " is of another model: " + e.getMessage(), e);
        }
    }

    /**
     * All outputs for rows, by the names of inputs.
     *
     * @return (rows, …) each, in the order in which the model names them
     * @throws IllegalArgumentException if an input is missing, or a tensor is unknown, misshapen or mistyped
     */
    public List<Tensor> infer(Feeds rows) {
        return session.run(program, rows);
    }

    /**
     * The first output for rows.
     *
     * @param rows (rows, …) for each input, in the order in which the program names them
     * @throws IllegalArgumentException if there are more or fewer than inputs, or one is misshapen or mistyped
     */
    public Tensor infer(Tensor... rows) {
        List<Value> inputs = program.inputs();
        if (rows.length != inputs.size() || rows.length == 0) {
            throw new IllegalArgumentException("inference reads " + inputs + ", got " + rows.length
                    + (rows.length == 1 ? " tensor" : " tensors")
                    + (inputs.isEmpty() ? "; a model that reads only noise infers a number of rows" : ""));
        }
        Feeds feeds = Feeds.of(inputs.get(0).path().text(), rows[0]);
        for (int i = 1; i < rows.length; i++) {
            feeds = feeds.and(inputs.get(i).path().text(), rows[i]);
        }
        return infer(feeds).get(0);
    }

    /**
     * The first output for so many rows of noise, for a model that reads nothing else. Each call draws further noise, and each
     * inferencer the same from its first call on.
     */
    public Tensor infer(int rows) {
        return infer(Feeds.rows(rows)).get(0);
    }

    @Override
    public void close() {
        try (parameters) {
            session.close();
        }
    }
}
