package hocket.programs.jvm.dense;

import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.execution.CompiledProgram;
import hocket.programs.execution.Lowering;
import hocket.programs.jvm.kernels.Scratch;
import hocket.programs.operators.Arrangement;
import hocket.programs.operators.Elementwise;
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
import java.util.TreeSet;

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

    /** Why there are no steps for a program and its gradients: its type, or the first operator; empty where there are. */
    public static Optional<String> uncovered(Program program, SortedSet<Path> gradients) {
        if (program.floatType() != ElementType.FLOAT32) {
            return Optional.of("program " + program.name() + " computes in " + program.floatType());
        }
        SortedSet<Path> reached = new TreeSet<>();
        Value loss = program.targets().get(0);
        if (!loss.batched() && loss.shape().size() == 1) {
            reached.addAll(gradients);
            reached.retainAll(program.reached());
        }
        return CompiledProgram.of(program, reached, 1, DenseTable.TABLE::covers).program().values().stream()
                .filter(value -> !covers(value))
                .map(value -> value.path() + ": there is no dense kernel for "
                        + value.operator().kind())
                .findFirst();
    }

    /** Whole numbers are fed, constant, found by a search or moved. */
    private static boolean covers(Value value) {
        Operator operator = value.operator();
        return operator instanceof Leaf
                || (operator instanceof Arrangement.Reshape || DenseTable.TABLE.covers(operator))
                        && (value.type().isFloating()
                                || operator instanceof Reduction.ArgMax
                                || operator instanceof Reduction.ArgSort
                                || operator instanceof Arrangement.Moving);
    }

    /** The number of steps of a program, with gradients, and of the threads that share its largest one. */
    public static Lowering.Outline outline(Program program, SortedSet<Path> gradients, int rows, int threads) {
        CompiledProgram compiledProgram = CompiledProgram.of(program, gradients, rows, DenseTable.TABLE::covers);
        List<DenseFusion.Node> nodes = DenseFusion.nodes(compiledProgram);
        boolean shared = nodes.stream().anyMatch(node -> products(node, rows) >= DenseThreads.PRODUCTS_WORTH_SHARING);
        return new Lowering.Outline(nodes.size(), shared ? threads : 1);
    }

    /**
     * Returns the multiply-adds that a row's convolutions have by their definition.
     *
     * @param winograd whether those count that are computed by fewer, with Winograd's algorithm
     */
    public static long multiplyAdds(Program program, boolean winograd) {
        return program.values().stream()
                .filter(value -> Products.isConvolution(value.operator()))
                .filter(value -> winograd || !WinogradTile.saves(value, Scratch.LANES))
                .mapToLong(value -> value.operator()
                        .multiplications(value.inputs(), value.result())
                        .of(1))
                .sum();
    }

    private static long products(DenseFusion.Node node, int rows) {
        Value value = node.fusion() instanceof DenseFusion.Activated activated ? activated.product() : node.value();
        return value.operator().multiplications(node.reads(), value.result()).of(rows);
    }

    /** The steps in order. */
    Runnable[] plan() {
        Map<Value, Integer> lastRead = lastReads();
        List<Runnable> steps = new ArrayList<>();
        Map<Value, List<Value>> companions = DenseFusion.companions(nodes);
        Set<Value> computed = new HashSet<>();
        companions.values().forEach(computed::addAll);
        for (int i = 0; i < nodes.size(); i++) {
            DenseFusion.Node node = nodes.get(i);
            Value value = node.value();
            if (value.operator() instanceof Arrangement.Reshape) {
                memory.share(value, node.reads().get(0));
            } else if (value.operator() instanceof Leaf.Constant constant && value.type() == ElementType.INT64) {
                memory.hold(value, constant.value().longs());
            } else if (value.operator() instanceof Leaf.Constant constant) {
                float[] values = constant.value().floats();
                memory.hold(value, Arrays.copyOf(values, memory.length(value) + DenseMemory.SLACK));
            } else if (compiledProgram.isConstant(value)) {
                memory.own(value);
                rules.step(node, List.of()).run();
            } else if (memory.tablePart(value) != null && value.operator() instanceof Elementwise.Binary) {
                continue; // the parts of the sum are added up where they are handed out
            } else if (!computed.contains(value)) {
                memory.reuse(value);
                List<Value> others = companions.getOrDefault(value, List.of());
                others.forEach(other -> memory.hold(other, memory.floats(memory.length(other))));
                add(steps, rules.step(node, others));
                memory.leaveWorking();
            }
            leave(i, lastRead);
        }
        return steps.toArray(Runnable[]::new);
    }

    /** Adds a step: to the last one, where both are loops over equally many elements. */
    private static void add(List<Runnable> steps, Runnable step) {
        int last = steps.size() - 1;
        Optional<DenseThreads.Run> both =
                last >= 0 && steps.get(last) instanceof DenseThreads.Run before && step instanceof DenseThreads.Run next
                        ? before.then(next)
                        : Optional.empty();
        if (both.isPresent()) {
            steps.set(last, both.get());
        } else {
            steps.add(step);
        }
    }

    /** Leaves the arrays that nothing reads after a step to others. */
    private void leave(int at, Map<Value, Integer> lastRead) {
        Set<Value> done = new HashSet<>();
        for (Value read : nodes.get(at).reads()) {
            Value root = DenseFusion.root(read);
            boolean held = root.inputs().isEmpty() || compiledProgram.isConstant(root);
            if (lastRead.getOrDefault(root, -1) == at && !held && done.add(root)) {
                memory.leave(root);
            }
        }
    }

    /** The last step that reads each array; those that are handed out are never free. */
    private Map<Value, Integer> lastReads() {
        Map<Value, Integer> last = new HashMap<>();
        for (int i = 0; i < nodes.size(); i++) {
            for (Value read : nodes.get(i).reads()) {
                last.put(DenseFusion.root(read), i);
            }
        }
        compiledProgram.outputs().forEach(output -> last.put(DenseFusion.root(output), Integer.MAX_VALUE));
        return last;
    }
}
