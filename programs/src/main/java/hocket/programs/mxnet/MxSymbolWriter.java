package hocket.programs.mxnet;

import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.mxnet.SymbolJson.Ref;
import hocket.programs.operators.BatchNorm;
import hocket.programs.operators.Composed;
import hocket.programs.operators.Composition;
import hocket.programs.operators.FurtherResult;
import hocket.programs.operators.Leaf;
import hocket.scopes.Path;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Writes a program for one number of rows as the engine's symbol, by the {@link Rules} of its operators, and records
 * the bindings by name.
 */
final class MxSymbolWriter {
    /**
     * An argument that reads a parameter.
     *
     * @param name the argument's name
     * @param path path of the parameter in the store
     * @param transposed whether a transposed convolution reads it, and nothing else
     * @param padded whether the argument is a private copy with a second, unused output channel
     */
    record Use(String name, Path path, boolean transposed, boolean padded) {}

    /** The placeholder for any number of rows. */
    static final int ANY_ROWS = -1;

    /** Below this many multiplications a forward pass, a second thread costs more than it brings. */
    private static final long WORTH_THREADS = 4_000_000;

    private final SymbolJson json = new SymbolJson();
    final Program program;
    private final Set<Path> gradients;
    /** The number of rows. */
    final int batch;

    private final Set<Value> reached;
    private final Map<Value, Ref> refs = new HashMap<>();
    /** The arguments that read parameters. */
    final List<Use> uses = new ArrayList<>();
    /** The arguments that never change. */
    final Map<String, Tensor> constants = new HashMap<>();
    /** Auxiliary arrays that nobody reads, by name. */
    final Map<String, Shape> scratch = new HashMap<>();
    /** Auxiliary arrays that are running statistics of the store, by name. */
    final Map<String, Path> statistics = new HashMap<>();

    private final Map<Value, Ref> cut = new HashMap<>();

    /** Nodes of the engine with a value's further results, where the value is another. */
    private final Map<Value, Ref> further = new HashMap<>();

    private boolean aside;

    /** @param batch the number of rows, or {@link #ANY_ROWS} where no gradient is asked for */
    MxSymbolWriter(Program program, Set<Path> gradients, int batch) {
        this.program = program;
        this.gradients = gradients;
        this.batch = batch;
        this.reached = program.reachedValues();
        for (Value value : program.values()) {
            if (value.operator() instanceof Leaf.Variable) {
                // Made where they are read: some operators want an argument of their own.
                continue;
            }
            if (value.operator() instanceof Leaf.Input || value.operator() instanceof Leaf.Noise) {
                refs.put(value, Ref.of(json.variable(value.path().text())));
            } else {
                aside = !gradients.isEmpty() && !reached.contains(value);
                refs.put(value, written(value));
                aside = false;
            }
        }
    }

    /** Writes a value from others that are written: by the rule of its operator, or part by part. */
    private Ref written(Value value) {
        if (value.operator() instanceof Leaf.Constant constant) {
            return constant(value, Integer.toString(value.id()), constant.value());
        }
        if (value.operator() instanceof FurtherResult result) {
            // The engine's operators have theirs in the same order.
            Value of = value.inputs().get(0);
            return new Ref(further.getOrDefault(of, held(of)).node(), 1 + result.index());
        }
        Optional<Rules.Rule> rule = EngineTable.TABLE.rule(value.operator());
        if (rule.isPresent() || !(value.operator() instanceof Composed operator)) {
            return EngineTable.TABLE.require(value).write(this, value);
        }
        Composition composition = Composition.of(value.path().text(), operator, value.inputs());
        for (int i = 0; i < value.inputs().size(); i++) {
            refs.put(composition.inputs().get(i), ref(value.inputs().get(i)));
        }
        composition.parts().forEach(part -> refs.put(part, written(part)));
        return Objects.requireNonNull(refs.get(composition.result()));
    }

    /** The symbol with the targets as heads, and the variables that they need in the engine's order. */
    Written written() {
        List<Ref> heads = new ArrayList<>();
        for (Value target : program.targets()) {
            boolean loss = heads.isEmpty() && !gradients.isEmpty();
            heads.add(operator(loss ? "MakeLoss" : "BlockGrad", target, "head", ref(target)));
        }
        Ref[] all = heads.toArray(Ref[]::new);
        return new Written(json.json(all), json.variables(all));
    }

    /**
     * A symbol.
     *
     * @param json as the engine reads it
     * @param variables by which it lists arguments and auxiliary arrays, those of a kind in its order
     */
    record Written(String json, List<String> variables) {
        Written {
            variables = List.copyOf(variables);
        }
    }

    /** Returns it, or rejects the program if there is none and a rule needs it. */
    int requireBatch(Value value) {
        if (batch == ANY_ROWS) {
            throw new IllegalArgumentException(
                    value + " depends on how many rows there are, and cannot be written for any");
        }
        return batch;
    }

    /** Repeats a row for each row of the batch. */
    Ref eachRow(Value value, String part, Ref row) {
        Value fed = program.feeds().stream()
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        value + " is the same for every row of inputs, and there is no input that tells how many"));
        Map<String, String> first = Map.of("lhs_axes", "(0,)", "rhs_axes", "(0,)");
        return operator("broadcast_like", value, part, first, row, ref(fed));
    }

    /** Returns whether a transposed convolution reads an array that another operator reads too. */
    boolean transposesASharedWeight() {
        List<Path> read =
                uses.stream().filter(use -> !use.padded()).map(Use::path).toList();
        return uses.stream()
                .anyMatch(use -> use.transposed() && !use.padded() && Collections.frequency(read, use.path()) > 1);
    }

    /** Returns whether the gradient by a parameter is requested. */
    boolean wantsGradient(Value parameter) {
        return gradients.contains(program.stored(parameter.path()));
    }

    /**
     * Returns the symbol node of a value. Where something is written that the descended gradient does not go through,
     * without a way back: the engine hands zeros back from every target, and an infinite slope makes of them what is
     * not a number.
     */
    Ref ref(Value value) {
        Ref held = held(value);
        if (!aside || !reached.contains(value)) {
            return held;
        }
        return cut.computeIfAbsent(value, v -> operator("BlockGrad", v, "seen", held));
    }

    private Ref held(Value value) {
        if (value.operator() instanceof Leaf.Variable) {
            return refs.computeIfAbsent(value, v -> use(v, v.path().text(), false, false));
        }
        Ref ref = refs.get(value);
        if (ref == null) {
            throw new IllegalStateException(value + " is not part of program " + program.name());
        }
        return ref;
    }

    /**
     * Adds a parameter as an argument that one operator alone reads. A transposed convolution needs this for a weight
     * with a gradient: with a shared or computed weight, the engine's backward pass crashes.
     */
    Ref own(Value parameter, Value reader, boolean padded) {
        return use(parameter, parameter.path() + "@" + reader.path(), true, padded);
    }

    private Ref use(Value parameter, String name, boolean transposed, boolean padded) {
        uses.add(new Use(name, program.stored(parameter.path()), transposed, padded));
        return Ref.of(json.variable(name));
    }

    /** An auxiliary array of a batch norm: scratch where the batch is used, else the store's own. */
    Ref auxiliary(Value statistic, Value reader) {
        String name = statistic.path() + "@" + reader.path();
        if (((BatchNorm) reader.operator()).usesBatch(program.mode())) {
            scratch.put(name, statistic.shape());
        } else {
            statistics.put(name, program.stored(statistic.path()));
        }
        return Ref.of(json.variable(name));
    }

    /** Adds an array of numbers that a value's rule needs. */
    Ref constant(Value value, String part, Tensor numbers) {
        String name = value.path() + "@" + part;
        constants.put(name, numbers);
        return Ref.of(json.variable(name));
    }

    /** Declares the node that holds a value's further results: not the last one of its rule. */
    void further(Value value, Ref node) {
        further.put(value, node);
    }

    /** Writes one engine operator with one output and no attributes as part of a value. */
    Ref operator(String engineOperator, Value value, String part, Ref... inputs) {
        return operator(engineOperator, value, part, Map.of(), inputs);
    }

    Ref operator(String engineOperator, Value value, String part, Map<String, String> attributes, Ref... inputs) {
        return operator(engineOperator, value, part, attributes, 1, inputs);
    }

    Ref operator(
            String engineOperator,
            Value value,
            String part,
            Map<String, String> attributes,
            int outputs,
            Ref... inputs) {
        String name = part.isEmpty() ? value.path().text() : value.path() + "." + part;
        return Ref.of(json.operator(engineOperator, name, attributes, outputs, inputs));
    }

    /** The engine's extents of a value: with the rows in front; a single number has one axis of extent 1. */
    int[] extents(Value value) {
        return extents(value, value.shape());
    }

    int[] extents(Value value, Shape rows) {
        return value.batched() ? withRows(rows, batch) : MxArray.nativeExtents(rows);
    }

    /** Extents with a number of rows in front, which may be {@link #ANY_ROWS}. */
    static int[] withRows(Shape rows, int count) {
        int[] full = new int[rows.rank() + 1];
        full[0] = count;
        System.arraycopy(rows.extents(), 0, full, 1, rows.rank());
        return full;
    }

    /** The engine's number for an axis of the rows. */
    int axis(Value value, int axis) {
        return value.batched() ? axis + 1 : axis;
    }

    /** Returns the number of engine operators written. */
    int operators() {
        return json.operators();
    }

    /** Returns the number of available threads that its kernels use. */
    int threads(int most) {
        long multiplications = program.values().stream()
                .mapToLong(value -> value.operator()
                        .multiplications(program.inputsOf(value), value.result())
                        .of(batch))
                .sum();
        return multiplications < WORTH_THREADS ? 1 : most;
    }
}
