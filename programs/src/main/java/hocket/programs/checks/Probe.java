package hocket.programs.checks;

import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.execution.BoundProgram;
import hocket.programs.execution.Lowering;
import hocket.programs.execution.Rewriter;
import hocket.programs.execution.Rewriter.Replacement;
import hocket.programs.operators.Elementwise;
import hocket.programs.operators.Leaf;
import hocket.scopes.Parameters;
import hocket.scopes.Path;
import hocket.scopes.Tensor;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * The loss of a program, with values that are constant by definition fixed.
 *
 * @param program the program with inputs and constants instead of fixed values
 * @param lowering the lowering that computes it
 * @param rows its number of rows
 * @param held the fixed inputs and other fed values
 */
record Probe(Program program, Lowering lowering, int rows, Map<String, Tensor> held) {
    /** Makes the probe of a checked program, which computes in FLOAT64 over these parameters. */
    static Probe of(Program checked, Lowering lowering, int rows, Parameters parameters, Map<String, Tensor> fed) {
        Map<Value, Replacement> leaves = new HashMap<>();
        Map<String, Tensor> held = new HashMap<>(fed);
        constant(checked, lowering, rows, parameters, fed).forEach((value, tensor) -> {
            Leaf leaf = value.batched() ? new Leaf.Input(value.shape(), value.type()) : new Leaf.Constant(tensor);
            leaves.put(value, new Replacement(value.path(), leaf));
            held.put(value.path().text(), tensor);
        });
        Program loss = checked.over(checked.targets().subList(0, 1));
        Program program = Rewriter.cut(loss, leaves);
        held.keySet()
                .retainAll(
                        program.feeds().stream().map(feed -> feed.path().text()).toList());
        return new Probe(program, lowering, rows, held);
    }

    private static Map<Value, Tensor> constant(
            Program checked, Lowering lowering, int rows, Parameters parameters, Map<String, Tensor> fed) {
        List<Value> values = checked.values().stream()
                .filter(value -> value.type().isFloating())
                .filter(value -> value.operator() instanceof Elementwise.StopGradient
                        || value.operator() instanceof Elementwise.Running)
                .toList();
        Map<Value, Tensor> constant = new HashMap<>();
        if (!values.isEmpty()) {
            // With the program's own targets, so that it reads all feeds.
            Program with = checked.with(values);
            try (BoundProgram bound = bound(with, lowering, parameters, new TreeSet<>())) {
                bound.feed(fed);
                bound.run(rows, 0, 0);
                for (Value value : values) {
                    constant.put(value, bound.target(with.targets().indexOf(value)));
                }
            }
        }
        return constant;
    }

    static BoundProgram bound(Program program, Lowering lowering, Parameters parameters, TreeSet<Path> gradients) {
        int threads = Runtime.getRuntime().availableProcessors();
        return new BoundProgram(program, parameters, lowering, threads, gradients, "");
    }

    BoundProgram bound(Parameters parameters) {
        BoundProgram bound = bound(program, lowering, parameters, new TreeSet<>());
        bound.feed(held);
        return bound;
    }

    double loss(BoundProgram bound, Parameters into, Path path, double[] values, int position, double step) {
        double[] moved = values.clone();
        moved[position] += step;
        into.set(path.text(), moved);
        for (Map.Entry<String, Tensor> feed : held.entrySet()) {
            if (bound.program().input(feed.getKey()).isEmpty()) {
                bound.feed(feed.getKey(), feed.getValue()); // given noise is valid for one run
            }
        }
        bound.run(rows, 0, 0);
        return bound.loss();
    }
}
