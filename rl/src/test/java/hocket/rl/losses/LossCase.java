package hocket.rl.losses;

import static hocket.programs.Layers.embedding;
import static hocket.programs.Operators.reshape;
import static hocket.schedulers.optimizers.Optimizers.sgd;

import com.fasterxml.jackson.databind.JsonNode;
import hocket.programs.Graph;
import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Session;
import hocket.programs.Session.Feeds;
import hocket.programs.Value;
import hocket.programs.execution.Lowering;
import hocket.rl.Golden;
import hocket.schedulers.Event;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Turn;
import hocket.scopes.Declaration;
import hocket.scopes.Declaration.Fan;
import hocket.scopes.Declaration.Kind;
import hocket.scopes.ElementType;
import hocket.scopes.Initialiser;
import hocket.scopes.Parameters;
import hocket.scopes.Path;
import hocket.scopes.Scope;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * A graph with numbers for its inputs and expected results. Inputs whose gradient is checked are tables of parameters,
 * read row by row.
 */
final class LossCase {
    /** The ways in which a case is run. */
    record Way(String lowering, ElementType type) {
        @Override
        public String toString() {
            return lowering + " " + type;
        }
    }

    /** The source of {@link #ways}, for tests with a parameter. */
    static final String WAYS = "hocket.rl.losses.LossCase#ways";

    /** The ways of a case whose golden results are in double precision. */
    static Stream<Way> ways() {
        return Stream.of(
                new Way("reference", ElementType.FLOAT64),
                new Way("reference", ElementType.FLOAT32),
                new Way("jvm", ElementType.FLOAT32));
    }

    /** Reads a section of the golden results of the newer methods. */
    static JsonNode golden(String section) {
        return Golden.read("losses/rl2.json").get(section);
    }

    private record Descended(String name, Value loss, double[] expected, Map<String, double[]> gradients) {}

    private final Way way;
    final Graph graph;
    private final int rows;
    private final Value row;
    private final Map<String, double[]> parameters = new TreeMap<>();
    private final Map<String, Tensor> feeds = new TreeMap<>();
    private final List<Value> values = new ArrayList<>();
    private final Map<String, double[]> expected = new LinkedHashMap<>();
    private final List<Descended> losses = new ArrayList<>();
    private double condition = 1;

    LossCase(Way way, int rows) {
        this.way = way;
        this.rows = rows;
        graph = new Graph(way.type());
        row = graph.input("row", Shape.scalar(), ElementType.INT64);
        feeds.put("row", Tensor.of(Shape.of(rows), LongStream.range(0, rows).toArray()));
    }

    /** Gives a parameter of a layer its numbers; its gradient is expected by its path. */
    void parameter(String path, JsonNode tensor) {
        parameters.put(path, Golden.numbers(tensor));
    }

    /** Sets the factor by which errors of intermediate results may grow. */
    void condition(double number) {
        condition = number;
    }

    /** Adds rows whose gradient is checked: a value (…) of a tensor (rows, …). */
    Value trained(String name, JsonNode tensor) {
        int[] extents = Golden.shape(tensor).extents();
        return trained(name, Golden.numbers(tensor), Arrays.copyOfRange(extents, 1, extents.length));
    }

    Value trained(String name, double[] numbers, int... extents) {
        parameters.put("given/" + name + "/table", numbers);
        try (Scope<Value> given =
                parameters.size() == 1 ? graph.module("given") : graph.scope("given", Graph.Opening.REUSE)) {
            return reshape(embedding(name, row, rows, Shape.of(extents).size()), extents);
        }
    }

    /** Adds one number, the same for every row, whose gradient is checked. */
    Value trainedNumber(String name, double number) {
        parameters.put("given/" + name + "/table", new double[] {number});
        try (Scope<Value> given =
                parameters.size() == 1 ? graph.module("given") : graph.scope("given", Graph.Opening.REUSE)) {
            return reshape(graph.parameter(
                    name + "/table",
                    (path, type) -> new Declaration(
                            path, Shape.of(1), type, new Initialiser.Constant(0), new Fan(1, 1), Kind.WEIGHT)));
        }
    }

    /** Adds fed rows: a value (…) of a tensor (rows, …), INT64 where the tensor is. */
    Value fed(String name, JsonNode tensor) {
        Shape shape = Golden.shape(tensor);
        double[] numbers = Golden.numbers(tensor);
        int[] extents = Arrays.copyOfRange(shape.extents(), 1, shape.rank());
        if (tensor.get("dtype").asText().equals("int64")) {
            long[] indices = LongStream.range(0, numbers.length)
                    .map(i -> (long) numbers[(int) i])
                    .toArray();
            feeds.put(name, Tensor.of(shape, indices));
            return graph.input(name, Shape.of(extents), ElementType.INT64);
        }
        return fed(name, numbers, extents);
    }

    Value fed(String name, double[] numbers, int... extents) {
        Shape shape = Shape.of(extents);
        feeds.put(name, Golden.tensor(shape.prepend(rows), way.type(), numbers));
        return graph.input(name, shape);
    }

    Value fedIndex(String name, long... indices) {
        feeds.put(name, Tensor.of(Shape.of(rows), indices));
        return graph.input(name, Shape.scalar(), ElementType.INT64);
    }

    /** Adds numbers that are the same for every row. */
    Value constant(double[] numbers, int... extents) {
        return CategoricalAtoms.constant(graph, Shape.of(extents), numbers);
    }

    /** Expects a value that is computed with the losses. */
    void expect(String name, Value value, double... numbers) {
        values.add(value);
        expected.put(name, numbers);
    }

    void expect(String name, Value value, JsonNode golden) {
        expect(name, value, Golden.numbers(golden));
    }

    /** Expects a loss and its gradients. */
    void descend(String name, Value loss, JsonNode golden, Map<String, JsonNode> gradients) {
        Map<String, double[]> numbers = new TreeMap<>();
        gradients.forEach((parameter, gradient) -> numbers.put(parameter, Golden.numbers(gradient)));
        descend(name, loss, golden.asDouble(), numbers);
    }

    void descend(String name, Value loss, double golden, Map<String, double[]> gradients) {
        losses.add(new Descended(name, loss, new double[] {golden}, gradients));
    }

    /** Runs everything. */
    void check() {
        String before = System.setProperty(Lowering.PROPERTY, way.lowering());
        try (Parameters store = Parameters.initialise(graph.declarations(), Streams.seed(1))) {
            parameters.forEach(store::set);
            checkValues(store);
            for (Descended loss : losses) {
                parameters.forEach(store::set);
                checkLoss(store, loss);
            }
        } finally {
            if (before == null) {
                System.clearProperty(Lowering.PROPERTY);
            } else {
                System.setProperty(Lowering.PROPERTY, before);
            }
        }
    }

    private void checkValues(Parameters store) {
        if (values.isEmpty()) {
            return;
        }
        Program program = Program.compile("values", Mode.TRAIN, values.toArray(Value[]::new));
        try (Session session = Session.over(graph, store, Mode.TRAIN)) {
            List<Tensor> actual = session.run(program, feedsOf(program));
            List<String> names = List.copyOf(expected.keySet());
            for (int i = 0; i < names.size(); i++) {
                near(names.get(i), actual.get(i).doubles(), expected.getOrDefault(names.get(i), new double[0]));
            }
        }
    }

    private void checkLoss(Parameters store, Descended loss) {
        Program program = Program.compile("loss", Mode.TRAIN, Loss.of(loss.loss()));
        Turn.Descend turn = Turn.of("loss", program);
        for (Path path : program.reached()) {
            turn = turn.updates(path.text(), sgd(1e-3));
        }
        try (Scheduler scheduler = Scheduler.over(store, 1)) {
            Event.Descended event = scheduler.step(turn, feedsOf(program));
            near(loss.name(), new double[] {event.loss()}, loss.expected());
            for (Map.Entry<String, double[]> gradient : loss.gradients().entrySet()) {
                String name = gradient.getKey();
                String path = parameters.containsKey(name) ? name : "given/" + name + "/table";
                near(loss.name() + " by " + name, scheduler.gradient(turn, path).doubles(), gradient.getValue());
            }
        }
    }

    private Feeds feedsOf(Program program) {
        Feeds wanted = Feeds.rows(rows);
        for (Value input : program.feeds()) {
            String path = input.path().text();
            Tensor tensor = feeds.get(path);
            if (tensor != null) {
                wanted = wanted.and(path, tensor);
            }
        }
        return wanted;
    }

    /**
     * As the golden file's README says; of float32 as of its blocks in float32, or eight roundings where these count
     * more by the condition of what is computed.
     */
    private void near(String name, double[] actual, double[] golden) {
        double single = Math.max(1e-5, 8 * condition * 0x1p-24);
        Golden.assertNear(name, actual, golden, way.type() == ElementType.FLOAT64 ? 1e-10 : single);
    }
}
