package hocket.programs.layers;

import hocket.programs.Graph;
import hocket.programs.Operators;
import hocket.programs.Value;
import hocket.programs.execution.RowCost;
import hocket.programs.operators.Arity;
import hocket.programs.operators.BatchNorm;
import hocket.programs.operators.Composed;
import hocket.programs.operators.Leaf;
import hocket.programs.operators.Operator;
import hocket.programs.operators.Operator.Result;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The step of a {@link Scan}: operators, each of which reads inputs of the step or results of operators before it.
 *
 * @param inputs number of inputs
 * @param nodes the operators
 * @param results of the step, by number: inputs, then nodes
 */
public record ScanBody(int inputs, List<Node> nodes, List<Integer> results) {
    /**
     * An operator.
     *
     * @param inputs by number: inputs of the step, then nodes
     */
    public record Node(Operator operator, List<Integer> inputs) {
        public Node {
            inputs = List.copyOf(inputs);
        }
    }

    /** @throws IllegalArgumentException if a number names nothing before it */
    public ScanBody {
        nodes = List.copyOf(nodes);
        results = List.copyOf(results);
        for (int i = 0; i < nodes.size(); i++) {
            requireBefore(nodes.get(i).inputs(), inputs + i);
        }
        requireBefore(results, inputs + nodes.size());
    }

    private static void requireBefore(List<Integer> numbers, int end) {
        Operator.require(
                numbers.stream().allMatch(number -> number >= 0 && number < end),
                "a step may read what is before it, of " + end + " values, got " + numbers);
    }

    /** Stands for an input of the step while it is written down. */
    record Given(Result result) implements Composed {
        @Override
        public Arity arity() {
            return Arity.NONE;
        }

        @Override
        public Result check(List<Value> none) {
            return result;
        }

        @Override
        public Value composed(List<Value> none) {
            throw new IllegalArgumentException("a value of the step of a scan is used outside of the step");
        }
    }

    /** A step that was written down, and the values that it reads besides sequences and states. */
    record Traced(ScanBody body, List<Value> captured) {}

    /** Writes a step down. */
    static Traced traced(List<Value> inputs, int sequences, Scan.Step step) {
        Graph graph = inputs.get(0).graph();
        List<Value> given = new ArrayList<>();
        for (int i = 0; i < inputs.size(); i++) {
            Result all = inputs.get(i).result();
            Operator.require(i >= sequences || all.shape().rank() > 0, "needs sequences (T, …), got " + inputs.get(i));
            given.add(graph.numbered(
                    new Given(i < sequences ? new Result(Scan.element(all.shape()), all.batched(), all.type()) : all)));
        }
        int states = inputs.size() - sequences;
        Scan.Next next =
                step.of(List.copyOf(given.subList(0, sequences)), List.copyOf(given.subList(sequences, given.size())));
        Operator.require(
                next.state().size() == states,
                "the step of a scan must give " + states + " next states, gave "
                        + next.state().size());
        boolean batched = inputs.get(sequences).batched();
        List<Value> results = Stream.concat(next.state().stream(), next.outputs().stream())
                .map(result -> batched ? Operators.spreadToRows(result) : result)
                .toList();
        return new Trace(given).of(results);
    }

    /** Finds the values of a step. */
    private static final class Trace {
        private final Map<Value, Integer> numbers = new LinkedHashMap<>();
        private final Map<Value, Boolean> inside = new HashMap<>();
        private final List<Value> captured = new ArrayList<>();

        Trace(List<Value> given) {
            given.forEach(value -> {
                numbers.put(value, numbers.size());
                inside.put(value, true);
            });
        }

        Traced of(List<Value> results) {
            List<Value> all = Value.above(results, Value::inputs);
            all.forEach(value -> inside.putIfAbsent(
                    value, value.inputs().stream().anyMatch(input -> inside.getOrDefault(input, false))));
            List<Value> own = all.stream()
                    .filter(value -> inside.getOrDefault(value, false) && !numbers.containsKey(value))
                    .toList();
            own.forEach(value -> {
                Operator.require(
                        !(value.operator() instanceof BatchNorm),
                        "a batch norm may not be in the step of a scan, whose statistics would be one step's: "
                                + value);
                value.inputs().forEach(this::capture);
            });
            results.forEach(this::capture);
            int inputs = numbers.size();
            own.forEach(value -> numbers.put(value, numbers.size()));
            List<Node> nodes = own.stream()
                    .map(value -> new Node(value.operator(), numbers(value.inputs())))
                    .toList();
            return new Traced(new ScanBody(inputs, nodes, numbers(results)), captured);
        }

        private void capture(Value value) {
            if (!inside.getOrDefault(value, false) && !numbers.containsKey(value)) {
                numbers.put(value, numbers.size());
                captured.add(value);
            }
        }

        private List<Integer> numbers(List<Value> values) {
            return values.stream().map(numbers::get).toList();
        }
    }

    /** Takes the step. */
    public List<Value> of(List<Value> now) {
        List<Value> values = new ArrayList<>(now);
        Graph graph = now.get(0).graph();
        for (Node node : nodes) {
            Value[] from = node.inputs().stream().map(values::get).toArray(Value[]::new);
            values.add(graph.numbered(node.operator(), from));
        }
        return results.stream().map(values::get).toList();
    }

    /** Returns what the results are like. */
    List<Result> results(List<Result> now) {
        return of(leaves(now)).stream().map(Value::result).toList();
    }

    /** Returns the sum of a cost over the operators. */
    RowCost cost(List<Result> now, Function<Value, RowCost> cost) {
        return Value.above(of(leaves(now)), Value::inputs).stream()
                .filter(value -> !value.inputs().isEmpty())
                .map(cost)
                .reduce(RowCost.NONE, RowCost::plus);
    }

    /** Returns the bounds of an input of indices. */
    int[] indexBounds(List<Result> now, int input) {
        List<Value> leaves = leaves(now);
        return Operator.indexBounds(Value.above(of(leaves), Value::inputs), leaves.get(input));
    }

    /** Returns leaves of a new graph. */
    private static List<Value> leaves(List<Result> now) {
        Result first = now.get(0);
        Graph graph = new Graph(first.type());
        return now.stream()
                .map(one -> graph.numbered(
                        one.type().isFloating() ? new Given(one) : new Leaf.Input(one.shape(), one.type())))
                .toList();
    }
}
