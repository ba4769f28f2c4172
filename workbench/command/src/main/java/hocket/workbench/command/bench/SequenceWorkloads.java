package hocket.workbench.command.bench;

import static hocket.programs.Layers.dense;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.subtract;
import static hocket.schedulers.optimizers.Optimizers.adam;

import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.layers.Recurrence;
import hocket.programs.layers.TransformerBlock;
import hocket.schedulers.Rows;
import hocket.schedulers.Turn;
import hocket.scopes.Scope;
import hocket.scopes.Shape;
import java.util.List;
import java.util.function.UnaryOperator;

/** Workloads of networks for sequences, those of {@code benchmarks/sequences_torch.py}. */
final class SequenceWorkloads {
    private static final int ACTIONS = 6;

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
