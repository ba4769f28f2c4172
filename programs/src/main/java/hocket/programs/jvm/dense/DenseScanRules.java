package hocket.programs.jvm.dense;

import hocket.programs.Gradients;
import hocket.programs.Graph;
import hocket.programs.Operators;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.execution.CompiledProgram;
import hocket.programs.jvm.kernels.PairwiseSums;
import hocket.programs.layers.Scan;
import hocket.programs.layers.ScanGradient;
import hocket.programs.layers.ScanLayout;
import hocket.programs.operators.Leaf;
import hocket.programs.operators.Operator.Result;
import hocket.scopes.Declaration;
import hocket.scopes.ElementType;
import hocket.scopes.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The computation of a {@link Scan} and its gradients: its step is a program of its own, which runs once for each index. The
 * arrays of a step are used again by the next.
 */
final class DenseScanRules {
    private static final float[] NONE = {};

    private final DenseRules in;
    private final Scan scan;
    private final ScanLayout layout;
    private final List<Value> inputs;

    private DenseScanRules(DenseRules in, Scan scan, List<Value> inputs) {
        this.in = in;
        this.scan = scan;
        this.layout = scan.layout(inputs);
        this.inputs = inputs;
    }

    /** A program for one index: arrays of what it reads and of what it computes, in the order of the values. */
    private record Stage(float[][] reads, float[][] results, Runnable[] steps) {
        void run() {
            for (Runnable step : steps) {
                step.run();
            }
        }
    }

    /** An array that every step reads, or a copy of its own where each step has other numbers. */
    private boolean isShared(int input) {
        return input >= scan.sequences() + scan.states() && input < inputs.size();
    }

    private int sequences() {
        return scan.sequences();
    }

    private int every() {
        return in.memory.stride(inputs.get(sequences()));
    }

    /** The elements of a slice of a sequence, a state or an output. */
    private int length(Result one) {
        return one.shape().size() * (one.batched() ? in.memory.stride : 1);
    }

    /** Makes a program for a step. */
    private Stage stage(List<Result> reads, BiFunction<Graph, List<Value>, List<Value>> results) {
        Graph graph = new Graph(ElementType.FLOAT32);
        List<Value> leaves = new ArrayList<>();
        for (int i = 0; i < reads.size(); i++) {
            Result read = reads.get(i);
            Path path = Path.of("read_" + i);
            Leaf leaf = leaf(i, read, path);
            leaves.add(graph.listed(path, leaf, List.of(), inputs.get(0).place()));
        }
        List<Value> targets = results.apply(graph, leaves);
        Program program =
                Program.compile("step", in.mode, targets.stream().distinct().toArray(Value[]::new));
        CompiledProgram compiled =
                CompiledProgram.of(program, new TreeSet<>(), in.memory.rows, DenseTable.TABLE::covers);
        DenseMemory memory = in.memory.within();
        float[][] read = new float[reads.size()][];
        Map<Path, Integer> places = new HashMap<>();
        for (int i = 0; i < read.length; i++) {
            boolean whole = !reads.get(i).type().isFloating();
            read[i] = whole ? NONE : isShared(i) ? in.array(inputs.get(i)) : memory.floats(length(reads.get(i)));
            places.put(leaves.get(i).path(), i);
        }
        for (Value value : compiled.program().values()) {
            Integer place = value.operator() instanceof Leaf ? places.get(value.path()) : null;
            if (place != null && !(value.operator() instanceof Leaf.Constant)) {
                DenseParameter parameter = isShared(place) ? in.memory.parameter(inputs.get(place)) : null;
                if (!value.type().isFloating()) {
                    memory.hold(value, in.memory.integers(inputs.get(place)));
                } else if (parameter == null) {
                    memory.hold(value, read[place]);
                } else {
                    memory.hold(value, parameter);
                }
            }
        }
        Runnable[] steps =
                new DenseSteps(compiled, memory, new DenseRules(in.mode, memory, in.kernels, in.threads)).plan();
        Map<Value, float[]> arrays = new HashMap<>();
        for (int i = 0; i < compiled.targets().size(); i++) {
            arrays.put(program.targets().get(i), memory.array(compiled.targets().get(i)));
        }
        return new Stage(read, targets.stream().map(arrays::get).toArray(float[][]::new), steps);
    }

    /** Returns what an array is in the program of a step: what every step reads keeps its kind. */
    private Leaf leaf(int input, Result read, Path path) {
        if (isShared(input)
                && inputs.get(input).operator() instanceof Leaf leaf
                && (leaf instanceof Leaf.Constant || leaf instanceof Leaf.Noise)) {
            return leaf;
        }
        return read.batched()
                ? new Leaf.Input(read.shape(), read.type())
                : new Leaf.Variable(Declaration.zeros(path, read.shape(), read.type()));
    }

    private Stage forward() {
        return stage(scan.now(inputs), (graph, leaves) -> scan.body().of(leaves));
    }

    static Runnable scan(DenseRules in, Scan scan, List<Value> inputs, float[] out) {
        DenseScanRules rules = new DenseScanRules(in, scan, inputs);
        Stage stage = rules.forward();
        float[][] state = rules.states();
        return () -> rules.forward(stage, state, out);
    }

    private float[][] states() {
        return layout.states().stream()
                .map(one -> in.memory.floats(length(one)))
                .toArray(float[][]::new);
    }

    private void forward(Stage stage, float[][] state, float[] out) {
        for (int i = 0; i < state.length; i++) {
            System.arraycopy(
                    in.array(inputs.get(sequences() + i)),
                    0,
                    state[i],
                    0,
                    length(layout.states().get(i)));
        }
        int kept = 0;
        for (int t = 0; t < layout.steps(); t++) {
            take(stage, t, state);
            for (int i = 0; i < layout.outputs().size(); i++) {
                int length = length(layout.outputs().get(i));
                System.arraycopy(
                        stage.results[state.length + i],
                        0,
                        out,
                        layout.outputAt(i, scan.place(t, layout.steps())) * every(),
                        length);
            }
            for (int i = 0; i < state.length; i++) {
                System.arraycopy(
                        stage.results[i], 0, state[i], 0, length(layout.states().get(i)));
            }
            kept += layout.isKept(t) ? 1 : 0;
            for (int i = 0; i < state.length && layout.isKept(t); i++) {
                int length = length(layout.states().get(i));
                System.arraycopy(state[i], 0, out, layout.keptAt(kept, i) * every(), length);
            }
        }
        for (int i = 0; i < state.length; i++) {
            System.arraycopy(
                    state[i],
                    0,
                    out,
                    layout.stateAt(i) * every(),
                    length(layout.states().get(i)));
        }
    }

    /** Computes the results of a step from a state. */
    private void take(Stage stage, int t, float[][] state) {
        arrange(stage, t, state);
        stage.run();
    }

    private void arrange(Stage stage, int t, float[][] state) {
        int place = scan.place(t, layout.steps());
        for (int i = 0; i < sequences(); i++) {
            int length = in.memory.length(inputs.get(i)) / layout.steps();
            System.arraycopy(in.array(inputs.get(i)), place * length, stage.reads[i], 0, length);
        }
        for (int i = 0; i < state.length; i++) {
            System.arraycopy(
                    state[i],
                    0,
                    stage.reads[sequences() + i],
                    0,
                    length(layout.states().get(i)));
        }
    }

    /**
     * The gradients of a scan.
     *
     * @param inputs those of {@link ScanGradient}
     * @param outs arrays of the gradients by each input of the scan; null for none
     */
    static Runnable gradients(DenseRules in, Scan scan, List<Value> inputs, float[] @Nullable [] outs) {
        DenseScanRules rules = new DenseScanRules(in, scan, inputs.subList(0, inputs.size() - 2));
        return rules
        .new Backward(in.array(inputs.get(inputs.size() - 2)), in.array(inputs.get(inputs.size() - 1)), outs)::run;
    }

    /** The gradients: interval by interval from the last, whose states are computed again from the one before them. */
    private final class Backward {
        private final float[] result;
        private final float[] upstream;
        private final float[] @Nullable [] outs;
        private final Stage forward = forward();
        private final Stage backward;
        private final float[][][] states;
        /** The gradient by each state. */
        private final float[][] slopes = states();

        private final PairwiseSums[] sums;

        Backward(float[] result, float[] upstream, float[] @Nullable [] outs) {
            this.result = result;
            this.upstream = upstream;
            this.outs = outs;
            List<Result> reads = new ArrayList<>(scan.now(inputs));
            reads.addAll(layout.states());
            reads.addAll(layout.outputs());
            backward = stage(reads, this::slopes);
            states = new float[layout.interval()][][];
            Arrays.setAll(states, i -> states());
            sums = new PairwiseSums[outs.length];
            Arrays.setAll(sums, i -> new PairwiseSums());
        }

        /** Returns whether a step's gradient by an input is computed. */
        private boolean isWanted(int input) {
            return input >= sequences() && !isShared(input) || outs[input] != null;
        }

        private List<Value> slopes(Graph graph, List<Value> leaves) {
            List<Value> own = leaves.subList(0, inputs.size());
            List<Value> results = scan.body().of(own);
            Map<Value, Value> upstreams = new HashMap<>();
            for (int i = 0; i < results.size(); i++) {
                upstreams.merge(results.get(i), leaves.get(inputs.size() + i), Operators::add);
            }
            List<Value> by = new ArrayList<>();
            for (int i = 0; i < own.size(); i++) {
                if (isWanted(i)) {
                    by.add(own.get(i));
                }
            }
            Map<Value, Value> gradients = Gradients.gradients(upstreams, by, Value::inputs);
            return by.stream()
                    .map(value -> gradients.getOrDefault(value, Gradients.zeros(value)))
                    .toList();
        }

        void run() {
            for (int i = 0; i < slopes.length; i++) {
                int length = length(layout.states().get(i));
                System.arraycopy(upstream, layout.stateAt(i) * every(), slopes[i], 0, length);
            }
            for (int i = 0; i < sums.length; i++) {
                if (isShared(i) && outs[i] != null) {
                    sums[i].begin(in.memory.length(inputs.get(i)));
                }
            }
            int interval = layout.interval();
            for (int number = (layout.steps() - 1) / interval; number >= 0; number--) {
                int begin = number * interval;
                int end = Math.min(layout.steps(), begin + interval);
                begin(number);
                for (int t = begin; t + 1 < end; t++) {
                    take(forward, t, states[t - begin]);
                    for (int i = 0; i < slopes.length; i++) {
                        int length = length(layout.states().get(i));
                        System.arraycopy(forward.results[i], 0, states[t + 1 - begin][i], 0, length);
                    }
                }
                for (int t = end - 1; t >= begin; t--) {
                    back(t, states[t - begin]);
                }
            }
            for (int i = 0; i < outs.length; i++) {
                float[] out = outs[i];
                if (out != null && isShared(i)) {
                    System.arraycopy(sums[i].sum(in.kernels), 0, out, 0, in.memory.length(inputs.get(i)));
                } else if (out != null && i >= sequences()) {
                    System.arraycopy(slopes[i - sequences()], 0, out, 0, in.memory.length(inputs.get(i)));
                }
            }
        }

        /** Takes the states before an interval. */
        private void begin(int number) {
            for (int i = 0; i < slopes.length; i++) {
                int length = length(layout.states().get(i));
                float[] from = number == 0 ? in.array(inputs.get(sequences() + i)) : result;
                int at = number == 0 ? 0 : layout.keptAt(number, i) * every();
                System.arraycopy(from, at, states[0][i], 0, length);
            }
        }

        private void back(int t, float[][] state) {
            arrange(backward, t, state);
            for (int i = 0; i < slopes.length; i++) {
                System.arraycopy(
                        slopes[i],
                        0,
                        backward.reads[inputs.size() + i],
                        0,
                        length(layout.states().get(i)));
            }
            for (int i = 0; i < layout.outputs().size(); i++) {
                float[] to = backward.reads[inputs.size() + slopes.length + i];
                int length = length(layout.outputs().get(i));
                System.arraycopy(upstream, layout.outputAt(i, scan.place(t, layout.steps())) * every(), to, 0, length);
            }
            backward.run();
            int at = 0;
            for (int i = 0; i < inputs.size(); i++) {
                if (isWanted(i)) {
                    leave(i, t, backward.results[at++]);
                }
            }
        }

        private void leave(int input, int t, float[] gradient) {
            float[] out = outs[input];
            if (input < sequences()) {
                int length = in.memory.length(inputs.get(input)) / layout.steps();
                System.arraycopy(gradient, 0, out, scan.place(t, layout.steps()) * length, length);
            } else if (isShared(input)) {
                sums[input].add(in.kernels, gradient, 0);
            } else {
                float[] to = slopes[input - sequences()];
                System.arraycopy(gradient, 0, to, 0, in.memory.length(inputs.get(input)));
            }
        }
    }
}
