package hocket.programs.execution;

import hocket.programs.Graph;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.operators.Leaf;
import hocket.programs.operators.Operator;
import hocket.scopes.ElementType;
import hocket.scopes.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Rewrites computations: a rule maps each value, after its inputs, to the value that takes its place. */
public final class Rewriter {
    /** A rule that gives each value its replacement. */
    @FunctionalInterface
    public interface Rule {
        /**
         * Returns the value that takes the place of another.
         *
         * @param inputs those that take the places of its inputs
         * @throws IllegalArgumentException if its operator cannot take them, with a message that continues a path
         */
        Value rewritten(Value value, List<Value> inputs);
    }

    /** An operator without inputs that takes the place of a value, and the path there. */
    public record Replacement(Path path, Operator leaf) {}

    private Rewriter() {}

    /**
     * Maps some values and all that they are made of, in the order of making.
     *
     * @param known values that are mapped already: they and their inputs are not rewritten
     * @param inputs of a value that count
     * @return the targets, their inputs and the known values, each with the value that takes its place
     * @throws IllegalArgumentException naming the value, if the rule refuses one
     */
    public static Map<Value, Value> rewritten(
            Collection<Value> targets, Map<Value, Value> known, Function<Value, List<Value>> inputs, Rule rule) {
        Map<Value, Value> rewritten = new HashMap<>(known);
        for (Value value : Value.above(targets, x -> known.containsKey(x) ? List.of() : inputs.apply(x))) {
            if (!known.containsKey(value)) {
                List<Value> own =
                        inputs.apply(value).stream().map(rewritten::get).toList();
                try {
                    rewritten.put(value, rule.rewritten(value, own));
                } catch (IllegalArgumentException e) {
                    throw new IllegalArgumentException(value.path() + ": " + e.getMessage(), e);
                }
            }
        }
        return rewritten;
    }

    /**
     * Returns a program with leaves in the places of some values, over a new graph in which each value is found by its
     * path. Values and mappings that only the replaced ones needed are left out.
     *
     * @throws IllegalArgumentException naming the value, if its operator cannot take a leaf
     * @throws IllegalStateException if two values have one path
     */
    public static Program cut(Program program, Map<Value, Replacement> leaves) {
        return cut(program, leaves, program.floatType());
    }

    /**
     * Returns a program's computation in a floating type, over a new graph in which each value is found by its path.
     *
     * @throws IllegalStateException if two values have one path
     */
    public static Program in(ElementType floatType, Program program) {
        Map<Value, Replacement> leaves = new HashMap<>();
        for (Value value : Value.above(program.targets(), Value::inputs)) {
            if (value.operator() instanceof Leaf leaf) {
                leaves.put(value, new Replacement(value.path(), leaf.in(floatType)));
            }
        }
        return cut(program, leaves, floatType);
    }

    private static Program cut(Program program, Map<Value, Replacement> leaves, ElementType floatType) {
        Graph graph = new Graph(floatType);
        return program.over(rewritten(
                program.targets(),
                Map.of(),
                value -> leaves.containsKey(value) ? List.of() : value.inputs(),
                (value, inputs) -> {
                    Replacement own = leaves.getOrDefault(value, new Replacement(value.path(), value.operator()));
                    return graph.listed(own.path(), own.leaf(), inputs, value.place());
                }));
    }
}
