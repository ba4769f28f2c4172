package hocket.workbench.inference;

import hocket.programs.Leaf.Distribution;
import hocket.programs.Program;
import hocket.programs.Session.Feeds;
import hocket.programs.Value;
import hocket.schedulers.Setup;
import hocket.schedulers.Source.Column;
import hocket.scopes.ElementType;
import hocket.scopes.Stream;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import hocket.workbench.exports.Example;
import hocket.workbench.exports.Exportable;
import hocket.workbench.online.Batch;
import hocket.workbench.online.RowFormat;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** A module, or an EVAL program, as it is asked: rows of what it reads give rows of what it computes. Any thread. */
public final class Servable {
    private final String name;
    private final Program program;
    private final List<Value> inputs;
    private final Map<Value, Distribution> drawn = new LinkedHashMap<>();
    private final List<Column> outputs = new ArrayList<>();
    private final List<Integer> targets = new ArrayList<>();
    private final boolean mixesRows;
    private final long width;

    private Servable(String name, Program program, Setup setup) {
        this.name = name;
        this.program = program;
        this.inputs = program.inputs();
        for (Value input : inputs) {
            Example.distribution(input, setup).ifPresent(distribution -> drawn.put(input, distribution));
        }
        Set<String> taken = new HashSet<>();
        List<Value> given = new ArrayList<>();
        for (int i = 0; i < program.targets().size(); i++) {
            Value target = program.targets().get(i);
            if (target.batched()) {
                String plain = Example.name(target);
                String own = taken.add(plain) ? plain : target.path().text();
                outputs.add(new Column(own, target.shape(), target.type()));
                targets.add(i);
                given.add(target);
            }
        }
        this.mixesRows = mixesRows(program, given);
        long numbers = 0;
        for (Value input : inputs) {
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
        Servable servable = new Servable(name, new Exportable(setup).program(name), setup);
        if (servable.outputs.isEmpty()) {
            throw new IllegalArgumentException(
                    name + " gives nothing for a row: what it computes is of a batch as a whole");
        }
        return servable;
    }

    /** All that can be asked of an experiment, in the order of {@link Exportable#names}. */
    public static List<Servable> all(Setup setup) {
        Exportable exportable = new Exportable(setup);
        return exportable.names().stream()
                .map(name -> new Servable(name, exportable.program(name), setup))
                .filter(servable -> !servable.outputs.isEmpty())
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
        return name;
    }

    /** What it reads, rows of which are given. */
    public List<Column> inputs() {
        return inputs.stream().map(Servable::column).toList();
    }

    private static Column column(Value input) {
        return new Column(input.path().text(), input.shape(), input.type());
    }

    /** Which of {@link #inputs} are noise in training, and are drawn unless they are given. */
    public Set<String> noises() {
        Set<String> names = new HashSet<>();
        drawn.keySet().forEach(input -> names.add(input.path().text()));
        return names;
    }

    /** What it gives for a row, in its order. */
    public List<Column> outputs() {
        return List.copyOf(outputs);
    }

    /**
     * What a row consists of that is given.
     *
     * @param withNoise whether noise is given, too
     * @return empty where nothing is
     * @throws IllegalArgumentException if such a row is too large
     */
    public Optional<RowFormat> format(boolean withNoise) {
        List<Column> columns = inputs.stream()
                .filter(input -> withNoise || !drawn.containsKey(input))
                .map(Servable::column)
                .toList();
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
    public Question question(Batch given, long seed) {
        Map<String, Tensor> feeds = new TreeMap<>();
        List<Column> columns = given.format().columns();
        for (int i = 0; i < columns.size(); i++) {
            feeds.put(columns.get(i).name(), given.column(i));
        }
        for (Value input : inputs) {
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
        drawn.forEach((input, distribution) ->
                feeds.computeIfAbsent(input.path().text(), path -> {
                    Stream stream = Streams.seed(seed).at("infer/" + path);
                    return Example.drawn(distribution, stream, input.shape().prepend(rows), input.type());
                }));
        return new Question(this, new Feeds(feeds, rows));
    }

    private void requireIndices(Value input, Tensor rows) {
        int bound = program.indexBound(input);
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
        return program;
    }

    /** Whether what it gives for a row depends on the others, so that rows of two questions must not meet. */
    boolean mixesRows() {
        return mixesRows;
    }

    /** Of all that the program gives, what is of a row each. */
    List<Tensor> given(List<Tensor> all) {
        return targets.stream().map(all::get).toList();
    }
}
