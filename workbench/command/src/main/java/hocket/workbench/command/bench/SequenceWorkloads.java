package hocket.workbench.command.bench;

import static hocket.programs.Layers.dense;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.subtract;
import static hocket.schedulers.optimizers.Optimizers.adam;

import hocket.programs.Graph;
import hocket.programs.Layers;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.layers.Recurrence;
import hocket.programs.layers.TransformerBlock;
import hocket.schedulers.Rows;
import hocket.schedulers.Turn;
import hocket.schedulers.optimizers.UpdateRule;
import hocket.scopes.ElementType;
import hocket.scopes.Scope;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;

/** Workloads of networks for sequences, those of {@code benchmarks/sequences_torch.py}. */
final class SequenceWorkloads {
    private static final int ACTIONS = 6;
    private static final int USED = 1000;

    private SequenceWorkloads() {}

    /** A training step of a layer of LSTM cells. */
    static Workload lstm(int features, int units, int steps, int rows) {
        return regression(
                features,
                steps,
                units,
                rows,
                x -> Recurrence.lstm(units).apply("lstm", x).outputs());
    }

    /** A training step of a causal transformer block with norms first. */
    static Workload attention(int width, int heads, int feedForward, int steps, int rows) {
        return regression(
                width,
                steps,
                width,
                rows,
                x -> TransformerBlock.of(heads, feedForward).causal().apply("block", x));
    }

    private static Workload regression(int features, int steps, int width, int rows, UnaryOperator<Value> layer) {
        Graph graph = new Graph();
        Value x = graph.input("x", Shape.of(steps, features));
        Value goal = graph.input("goal", Shape.of(steps, width));
        Value loss;
        try (Scope<Value> scope = graph.module("net")) {
            loss = mean(square(subtract(layer.apply(x), goal)));
        }
        Turn.Descend turn =
                Turn.of("step", Program.compile("step", Mode.TRAIN, loss)).updates("net/**", adam(1e-3));
        int all = rows * Workload.BATCHES;
        Rows data = Rows.of("x", Workload.uniform("x", all, steps, features))
                .and("goal", Workload.uniform("goal", all, steps, width));
        return new Workload(graph, List.of(turn), data, rows);
    }

    /**
     * A training step of an embedding at 1,000 of its rows, so that tables of any size have equally many in use.
     *
     * @param optimizer of the table
     */
    static Workload embedding(int entries, int width, int steps, int rows, UpdateRule optimizer) {
        Graph graph = new Graph();
        Value text = graph.input("text", Shape.of(steps), ElementType.INT64);
        Value goal = graph.input("goal", Shape.of(steps, width));
        Value loss;
        try (Scope<Value> scope = graph.module("net")) {
            loss = mean(square(subtract(Layers.embedding("words", text, entries, width), goal)));
        }
        Turn.Descend turn =
                Turn.of("step", Program.compile("step", Mode.TRAIN, loss)).updates("net/**", optimizer);
        int all = rows * Workload.BATCHES;
        double[] drawn = new double[all * steps];
        Streams.seed(0).at("text").uniform(0, drawn);
        long[] words = Arrays.stream(drawn)
                .mapToLong(u -> (long) (u * USED) * (entries / USED))
                .toArray();
        Rows data = Rows.of("text", Tensor.of(Shape.of(all, steps), words))
                .and("goal", Workload.uniform("goal", all, steps, width));
        return new Workload(graph, List.of(turn), data, rows);
    }

    /** A step of a policy with GRU cells: logits, and the state for the next. */
    static Program gru(int features, int units) {
        Graph graph = new Graph();
        Recurrence cells = Recurrence.gru(units);
        Value x = graph.input("x", Shape.of(features));
        Value state = graph.input("state", cells.stateShape());
        try (Scope<Value> scope = graph.module("policy")) {
            Value next = cells.step("gru", x, state);
            return Program.compile("step", Mode.EVAL, dense("logits", reshape(next, units), ACTIONS), next);
        }
    }
}
