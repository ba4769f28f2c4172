package hocket.workbench.inference;

import hocket.programs.Program;
import hocket.programs.Session.Feeds;
import hocket.programs.Value;
import hocket.schedulers.Setup;
import hocket.schedulers.Source.Column;
import hocket.schedulers.inference.ProgramInference;
import hocket.schedulers.inference.TrainedModel;
import hocket.scopes.ElementType;
import hocket.scopes.Tensor;
import hocket.workbench.exports.Exportable;
import hocket.workbench.online.RowBatch;
import hocket.workbench.online.RowFormat;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A module, or an EVAL program, as it is asked: rows of what it reads give rows of what it computes. Any thread. */
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
     * What can be asked of an experiment.
     *
     * @throws IllegalArgumentException if there is nothing of that name, listing what there is; or it gives nothing for a row
     */
    public static Servable of(String name, Setup setup) {
        ProgramInference function = new Exportable(setup).function(name);
        TrainedModel.requireRows(function);
        return new Servable(function);
    }

    /** All that can be asked of an experiment, in the order of {@link Exportable#names}. */
    public static List<Servable> all(Setup setup) {
        Exportable exportable = new Exportable(setup);
        return exportable.names().stream()
                .map(exportable::function)
                .filter(function -> !function.outputs().isEmpty())
                .map(Servable::new)
                .toList();
    }

    /** Whether a row of what is given depends on other rows, by a mean over the batch for example. */
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

    /** What it reads, rows of which are given. */
    public List<Column> inputs() {
        return program().inputs().stream().map(Servable::column).toList();
    }

    private static Column column(Value input) {
        return new Column(input.path().text(), input.shape(), input.type());
    }

    /** Which of {@link #inputs} are noise in training, and are drawn unless they are given. */
    public Set<String> noises() {
        return function.noises().stream().map(Column::name).collect(Collectors.toSet());
    }

    /** What it gives for a row, in its order. */
    public List<Column> outputs() {
        return function.outputs();
    }

    /**
     * What a row consists of that is given.
     *
     * @param withNoise whether noise is given, too
     * @return empty where nothing is
     * @throws IllegalArgumentException if such a row is too large
     */
    public Optional<RowFormat> format(boolean withNoise) {
        List<Column> columns = withNoise ? inputs() : function.inputs();
        return columns.isEmpty() ? Optional.empty() : Optional.of(new RowFormat(columns));
    }

    /**
     * A question that is complete.
     *
     * @param feeds a tensor of (rows, ...) for every input
     */
    public record Question(Servable of, Feeds feeds) {
        /** How many rows. */
        public int rows() {
            return feeds.rows();
        }

        /** How many numbers are given and answered. */
        long numbers() {
            return (long) rows() * of.width;
        }
    }

    /**
     * Rows that are given, and noise for them.
     *
     * @param given of {@link #format}
     * @param seed of the noise: the same rows and seed are the same question
     * @throws IllegalArgumentException if an index is none, naming its row
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

    /** Rows of nothing but noise; each row of few is the same among many. */
    public Question question(int rows, long seed) {
        return question(new TreeMap<>(), rows, seed);
    }

    private Question question(Map<String, Tensor> feeds, int rows, long seed) {
        return new Question(this, function.complete(new Feeds(feeds, rows), seed));
    }

    private void requireIndices(Value input, Tensor rows) {
        int bound = program().indexBound(input);
        double[] values = rows.doubles();
        for (int i = 0; bound > 0 && i < values.length; i++) {
            if (values[i] < 0 || values[i] >= bound) {
                throw new IllegalArgumentException(String.format(
                        "%s: must be from 0 to %d, was %.0f in row %d",
                        input.path(), bound - 1, values[i], i / input.shape().size()));
            }
        }
    }

    Program program() {
        return function.program();
    }

    /** Whether what it gives for a row depends on the others, so that rows of two questions must not meet. */
    boolean mixesRows() {
        return mixesRows;
    }

    /** Of all that the program gives, what is of a row each. */
    List<Tensor> given(List<Tensor> all) {
        return function.outputs(all);
    }
}
