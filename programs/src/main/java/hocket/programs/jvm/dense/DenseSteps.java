package hocket.programs.jvm.dense;

import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.execution.CompiledProgram;
import hocket.programs.execution.Lowering;
import hocket.programs.operators.Arrangement;
import hocket.programs.operators.Leaf;
import hocket.programs.operators.Operator;
import hocket.programs.operators.Products;
import hocket.programs.operators.Reduction;
import hocket.scopes.ElementType;
import hocket.scopes.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;

/**
 * The plan of a program: which steps, in which order, and where in the {@link DenseMemory} each value is;
 * an array is used again when all that reads it has run. Steps are fused where it pays ({@link DenseFusion}).
 */
public final class DenseSteps {
    private final CompiledProgram compiledProgram;
    private final DenseMemory memory;
    private final DenseRules rules;
    private final List<DenseFusion.Node> nodes;

    /** @param memory where all leaves are held */
    DenseSteps(CompiledProgram compiledProgram, DenseMemory memory, DenseRules rules) {
        this.compiledProgram = compiledProgram;
        this.memory = memory;
        this.rules = rules;
        this.nodes = DenseFusion.nodes(compiledProgram);
    }

    /** Why there are no steps for a program: its type, or the first operator without one; empty where there are. */
    public static Optional<String> uncovered(Program program) {
        if (program.floatType() != ElementType.FLOAT32) {
            return Optional.of("program " + program.name() + " computes in " + program.floatType());
        }
        return program.values().stream()
                .filter(value -> !covers(value))
                .map(value -> value.path() + ": there is no dense kernel for "
                        + value.operator().kind())
                .findFirst();
    }

    private static boolean covers(Value value) {
        Operator operator = value.operator();
        return value.type() != ElementType.INT64
                || operator instanceof Leaf.Input
                || operator instanceof Reduction.ArgMax;
    }

    /** The number of steps of a program, with gradients, and of the threads that share its largest one. */
    public static Lowering.Outline outline(Program program, SortedSet<Path> gradients, int rows, int threads) {
        CompiledProgram compiledProgram = CompiledProgram.of(program, gradients, rows);
        List<DenseFusion.Node> nodes = DenseFusion.nodes(compiledProgram);
        boolean shared = nodes.stream().anyMatch(node -> products(node, rows) >= DenseThreads.PRODUCTS_WORTH_SHARING);
        return new Lowering.Outline(nodes.size(), shared ? threads : 1);
    }

    private static long products(DenseFusion.Node node, int rows) {
        Operator operator = node.fusion() instanceof DenseFusion.Activated activated
                ? activated.product().operator()
                : node.value().operator();
        if (!(operator instanceof Products.Dense
                || operator instanceof Products.DenseInput
                || operator instanceof Products.DenseWeight
                || Products.isConvolution(operator))) {
            return 0;
        }
        Value x = node.reads().get(0);
        Value other = node.reads().get(1);
        int all = x.batched() ? rows : 1;
        if (operator instanceof Products.ConvolutionWeight) {
            return DenseConvolutionRules.multiplyAdds(node.value(), other, all);
        }
        if (Products.isConvolution(operator)) {
            return DenseConvolutionRules.multiplyAdds(other, node.value(), all);
        }
        long weights = operator instanceof Products.DenseWeight
                ? (long) x.shape().get(-1) * other.shape().get(-1)
                : other.shape().size();
        return weights * all;
    }

    /** The steps in order. */
    Runnable[] plan() {
        Map<Value, Integer> lastRead = lastReads();
        List<Runnable> steps = new ArrayList<>();
        Map<Value, Value> biases = DenseFusion.biases(nodes);
        for (int i = 0; i < nodes.size(); i++) {
            DenseFusion.Node node = nodes.get(i);
            Value value = node.value();
            if (value.operator() instanceof Arrangement.Reshape) {
                memory.hold(value, memory.array(node.reads().get(0)));
            } else if (value.operator() instanceof Leaf.Constant constant) {
                float[] values = constant.value().floats();
                memory.hold(value, Arrays.copyOf(values, memory.length(value) + DenseMemory.SLACK));
            } else if (compiledProgram.isConstant(value)) {
                memory.own(value);
                rules.step(node, null).run();
            } else if (!biases.containsValue(value)) {
                memory.reuse(value);
                Value bias = biases.get(value);
                if (bias != null) {
                    memory.own(bias);
                }
                steps.add(rules.step(node, bias));
            }
            leave(i, lastRead);
        }
        return steps.toArray(Runnable[]::new);
    }

    /** Leaves the arrays that nothing reads after a step to others. */
    private void leave(int at, Map<Value, Integer> lastRead) {
        Set<Value> done = new HashSet<>();
        for (Value read : nodes.get(at).reads()) {
            Value root = root(read);
            boolean held = root.inputs().isEmpty() || compiledProgram.isConstant(root);
            if (lastRead.getOrDefault(root, -1) == at && !held && done.add(root)) {
                memory.leave(root);
            }
        }
    }

    /** Returns the value whose array a reshaped one shares. */
    private static Value root(Value value) {
        Value root = value;
        while (root.operator() instanceof Arrangement.Reshape) {
            root = root.inputs().get(0);
        }
        return root;
    }

    /** The last step that reads each array; those that are handed out are never free. */
    private Map<Value, Integer> lastReads() {
        Map<Value, Integer> last = new HashMap<>();
        for (int i = 0; i < nodes.size(); i++) {
            for (Value read : nodes.get(i).reads()) {
                last.put(root(read), i);
            }
        }
        compiledProgram.outputs().forEach(output -> last.put(root(output), Integer.MAX_VALUE));
        return last;
    }
}
