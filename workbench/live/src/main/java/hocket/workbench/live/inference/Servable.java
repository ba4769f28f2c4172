package hocket.workbench.live.inference;

import hocket.programs.Program;
import hocket.programs.Session.Feeds;
import hocket.programs.Value;
import hocket.schedulers.Setup;
import hocket.schedulers.Source.Column;
import hocket.schedulers.inference.ProgramInference;
import hocket.schedulers.inference.TrainedModel;
import hocket.scopes.ElementType;
import hocket.scopes.Tensor;
import hocket.workbench.online.RowBatch;
import hocket.workbench.online.RowFormat;
import hocket.workbench.runs.exports.Exportable;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A module, or an EVAL program, as a function of rows. Used by any thread. */
public final class Servable {
    private final ProgramInference function;
    private final boolean mixesRows;
    private final long width;

    private Servable(ProgramInference function) {
        this.function = function;
        Program program = function.program();
        List<Value> given = program.targets().stream().filter(Value::batched).toList();
        this.mixesRows = mixesRows(program, given);
        long numbers = 0;
        for (Value input : program.inputs()) {
            numbers += input.shape().size();
        }
        for (Value each : given) {
            numbers += each.shape().size();
        }
        this.width = numbers;
    }

    /**
     * Returns a module or program of an experiment.
     *
     * @throws IllegalArgumentException if the name is unknown, listing all; or it has no output per row
     */
    public static Servable of(String name, Setup setup) {
        ProgramInference function = new Exportable(setup).function(name);
        TrainedModel.requireRows(function);
        return new Servable(function);
    }

    /** Returns all modules and programs of an experiment, in the order of {@link Exportable#names}. */
    public static List<Servable> all(Setup setup) {
        Exportable exportable = new Exportable(setup);
        return exportable.names().stream()
                .map(exportable::function)
                .filter(function -> !function.outputs().isEmpty())
                .map(Servable::new)
                .toList();
    }

    /** Returns whether the output of a row depends on other rows, by a mean over the batch for example. */
    private static boolean mixesRows(Program program, List<Value> given) {
        Set<Value> seen = new HashSet<>();
        Deque<Value> open = new ArrayDeque<>(given);
        while (!open.isEmpty()) {
            Value value = open.pop();
            if (seen.add(value)) {
                List<Value> read = program.inputsOf(value);
                if (!value.batched() && read.stream().anyMatch(Value::batched)) {
                    return true;
                }
                read.forEach(open::push);
            }
        }
        return false;
    }

    public String name() {
        return function.name();
    }

    /** Returns the inputs that have rows. */
    public List<Column> inputs() {
        return program().inputs().stream().map(Servable::column).toList();
    }

    private static Column column(Value input) {
        return new Column(input.path().text(), input.shape(), input.type());
    }

    /** Returns which of {@link #inputs} are noise in training, and are sampled unless they are given. */
    public Set<String> noises() {
        return function.noises().stream().map(Column::name).collect(Collectors.toSet());
    }

    /** Returns the outputs of a row, in order. */
    public List<Column> outputs() {
        return function.outputs();
    }

    /**
     * Returns the format of a given row.
     *
     * @param withNoise whether noise is given, too
     * @return empty if no input is given
     * @throws IllegalArgumentException if such a row is too large
     */
    public Optional<RowFormat> format(boolean withNoise) {
        List<Column> columns = withNoise ? inputs() : function.inputs();
        return columns.isEmpty() ? Optional.empty() : Optional.of(new RowFormat(columns));
    }

    /**
     * A complete request.
     *
     * @param feeds a tensor of (rows, ...) for every input
     */
    public record Question(Servable of, Feeds feeds) {
        /** Returns the number of rows. */
        public int rows() {
            return feeds.rows();
        }

        /** Returns the number of values in inputs and outputs. */
        long numbers() {
            return (long) rows() * of.width;
        }
    }

    /**
     * Builds a request from rows, with or without noise.
     *
     * @param given rows of {@link #format}
     * @param seed seed of the noise: the same rows and seed give the same request
     * @throws IllegalArgumentException if an index is out of range, naming its row
     */
    public Question question(RowBatch given, long seed) {
        Map<String, Tensor> feeds = new TreeMap<>();
        List<Column> columns = given.format().columns();
        for (int i = 0; i < columns.size(); i++) {
            feeds.put(columns.get(i).name(), given.column(i));
        }
        for (Value input : program().inputs()) {
            Tensor rows = feeds.get(input.path().text());
            if (rows != null && rows.type() == ElementType.INT64) {
                requireIndices(input, rows);
            }
        }
        return question(feeds, given.rows(), seed);
    }

    /** Builds a request of noise alone; the first rows do not depend on the number of rows. */
    public Question question(int rows, long seed) {
        return question(new TreeMap<>(), rows, seed);
    }

    private Question question(Map<String, Tensor> feeds, int rows, long seed) {
        return new Question(this, function.complete(new Feeds(feeds, rows), seed));
    }

    private void requireIndices(Value input, Tensor rows) {
        long[] values = rows.longs();
        int[] bounds = program().indexBounds(input);
        for (int i = 0; i < values.length; i++) {
            Program.requireIndex(input, bounds, i, values[i]);
        }
    }

    Program program() {
        return function.program();
    }

    /** Returns whether a row's output depends on the others, so that two requests must not share a batch. */
    boolean mixesRows() {
        return mixesRows;
    }

    /** Returns the outputs with one value per row. */
    List<Tensor> given(List<Tensor> all) {
        return function.outputs(all);
    }
}
