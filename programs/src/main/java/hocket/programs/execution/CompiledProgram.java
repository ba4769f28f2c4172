package hocket.programs.execution;

import hocket.programs.Gradients;
import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Operators;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.operators.Arrangement;
import hocket.programs.operators.Arrangement.Reshape;
import hocket.programs.operators.Arrangement.Spread;
import hocket.programs.operators.BatchNorm;
import hocket.programs.operators.Composed;
import hocket.programs.operators.Composition;
import hocket.programs.operators.Elementwise;
import hocket.programs.operators.Elementwise.Binary;
import hocket.programs.operators.Elementwise.Pair;
import hocket.programs.operators.Elementwise.Scalar;
import hocket.programs.operators.Elementwise.StopGradient;
import hocket.programs.operators.Leaf;
import hocket.programs.operators.Operator;
import hocket.scopes.ElementType;
import hocket.scopes.Path;
import hocket.scopes.Scope;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * A program with explicit gradients, for one number of rows, over a new graph and simplified: operators that its mode
 * skips are removed, common subexpressions are merged, constants are folded, and unused values are removed. For
 * lowerings that run forward only.
 *
 * @param program computes all of the targets and gradients; its own targets are each of them once
 * @param targets values for the original program's targets, in their order
 * @param gradients the gradients of the first target by the asked-for paths, in path order
 * @param constants values that are made of constants alone: to be computed once
 */
public record CompiledProgram(Program program, List<Value> targets, List<Value> gradients, Set<Value> constants) {
    public CompiledProgram {
        targets = List.copyOf(targets);
        gradients = List.copyOf(gradients);
        constants = Set.copyOf(constants);
    }

    /** The targets, then the gradients. */
    public List<Value> outputs() {
        List<Value> outputs = new ArrayList<>(targets);
        outputs.addAll(gradients);
        return outputs;
    }

    /** Returns whether a value is made from constants alone, so that it is computed once. */
    public boolean isConstant(Value value) {
        return constants.contains(value);
    }

    /**
     * Compiles.
     *
     * @param gradients stored paths for which to compute gradients of the first target
     * @param rows the number of rows
     * @param covered the operators that have a rule where it will be computed: composed ones without are decomposed
     * @throws IllegalArgumentException if the gradient reaches one of the paths through no operator
     */
    public static CompiledProgram of(
            Program program, SortedSet<Path> gradients, int rows, Predicate<Operator> covered) {
        Graph graph = new Graph(program.floatType());
        // With what the mode leaves out, which is not among the program's values: rules for gradients may speak of it.
        // But what the other mode takes must not come in through the gradients, not even times 0.
        Map<Value, Value> copies = Rewriter.rewritten(
                program.targets(),
                Map.of(),
                value -> value.operator() instanceof Elementwise.ByMode ? program.inputsOf(value) : value.inputs(),
                (value, inputs) -> value.operator() instanceof Elementwise.ByMode
                        ? inputs.get(0)
                        : graph.made(value, value.operator(), inputs, value.result()));
        List<Value> targets = program.targets().stream().map(copies::get).toList();
        List<Value> slopes = gradients.isEmpty() ? List.of() : slopes(program, graph, gradients, copies);
        List<Value> all = new ArrayList<>(targets);
        all.addAll(slopes);
        Program whole = program.over(all.stream().distinct().toList());
        Map<Value, Value> simple = Rewriter.rewritten(
                whole.targets(),
                Map.of(),
                whole::inputsOf,
                new Simplification(program.mode(), whole.floatType(), rows, covered));
        Program least = program.over(all.stream().map(simple::get).distinct().toList());
        return new CompiledProgram(
                least,
                targets.stream().map(simple::get).toList(),
                slopes.stream().map(simple::get).toList(),
                constants(least));
    }

    private static Set<Value> constants(Program program) {
        Set<Value> constants = new HashSet<>();
        for (Value value : program.values()) {
            List<Value> inputs = program.inputsOf(value);
            boolean made = !inputs.isEmpty() && constants.containsAll(inputs);
            if (made || value.operator() instanceof Leaf.Constant) {
                constants.add(value);
            }
        }
        return constants;
    }

    private static List<Value> slopes(
            Program program, Graph graph, SortedSet<Path> gradients, Map<Value, Value> copies) {
        SortedMap<Path, List<Value>> weights = new TreeMap<>();
        for (Value value : program.values()) {
            if (value.operator() instanceof Leaf.Variable && gradients.contains(program.stored(value.path()))) {
                weights.computeIfAbsent(program.stored(value.path()), path -> new ArrayList<>())
                        .add(copies.get(value));
            }
        }
        List<Value> by = weights.values().stream().flatMap(List::stream).toList();
        Value loss = Objects.requireNonNull(copies.get(program.targets().get(0)));
        try (Scope<Value> scope = graph.derived("gradients")) {
            Value one = Operators.reshape(graph.constant(1), loss.shape().extents());
            Map<Value, Value> sums = Gradients.gradients(loss, one, by, Value::inputs);
            List<Value> all = new ArrayList<>();
            for (Path path : gradients) {
                Value sum = null;
                for (Value weight : weights.getOrDefault(path, List.of())) {
                    Value part = sums.get(weight);
                    if (part != null) {
                        sum = sum == null ? part : Operators.add(sum, part);
                    }
                }
                if (sum == null) {
                    throw new IllegalArgumentException("program " + program.name() + ": no gradient reaches " + path);
                }
                all.add(sum);
            }
            return all;
        }
    }

    /** Makes simpler values, or none where an equal one is there. */
    private static final class Simplification implements Rewriter.Rule {
        private record Key(Operator operator, List<Value> inputs) {}

        private final Mode mode;
        private final int rows;
        private final Predicate<Operator> covered;
        private final Graph graph;
        private final Map<Key, Value> known = new HashMap<>();

        Simplification(Mode mode, ElementType floatType, int rows, Predicate<Operator> covered) {
            this.mode = mode;
            this.rows = rows;
            this.covered = covered;
            this.graph = new Graph(floatType);
        }

        @Override
        public Value rewritten(Value value, List<Value> inputs) {
            Operator operator = value.operator();
            if (operator instanceof Composed composed && !covered.test(composed)) {
                return decomposed(value, composed, inputs);
            }
            if (operator instanceof Elementwise.ByMode
                    || operator instanceof Elementwise.Running
                    || operator instanceof StopGradient
                    || (operator instanceof Elementwise.Dropout && inputs.size() == 1)) {
                return inputs.get(0);
            }
            if (operator instanceof Reshape || operator instanceof Spread) {
                Value x = inputs.get(0);
                if (x.result().equals(value.result())) {
                    return x;
                }
                if (operator instanceof Reshape && x.operator() instanceof Reshape) {
                    return rewritten(value, x.inputs());
                }
            }
            Optional<Double> same = uniform(value, inputs);
            if (same.isPresent() && !inputs.isEmpty()) {
                return filled(value, same.get());
            }
            if (operator instanceof Scalar scalar) {
                return scaled(value, scalar, inputs.get(0));
            }
            if (operator instanceof Binary binary) {
                return pair(value, binary.pair(), inputs.get(0), inputs.get(1));
            }
            return known(value, operator, inputs);
        }

        private Value decomposed(Value value, Composed operator, List<Value> inputs) {
            Composition composition = Composition.of(value.path().text(), operator, inputs);
            Map<Value, Value> given = new HashMap<>();
            for (int i = 0; i < inputs.size(); i++) {
                given.put(composition.inputs().get(i), inputs.get(i));
            }
            Value result = composition.result();
            return Objects.requireNonNull(Rewriter.rewritten(
                            List.of(result), given, part -> part.operator().inputsIn(mode, part.inputs()), this)
                    .get(result));
        }

        /** The number that every element is, where that is known without running. */
        private Optional<Double> uniform(Value value, List<Value> inputs) {
            Operator operator = value.operator();
            if (operator instanceof Reshape || operator instanceof Arrangement.Slice) {
                return uniform(inputs.get(0));
            }
            if (operator instanceof Spread spread) {
                Value x = inputs.get(0);
                long copies = spread.shared()
                        ? (long) value.shape().size() / x.shape().size() * (value.batched() && !x.batched() ? rows : 1)
                        : 1;
                return uniform(x).map(number -> number / copies);
            }
            if (operator instanceof Scalar scalar) {
                return uniform(inputs.get(0)).map(number -> scalar.scale() * number + scalar.shift());
            }
            if (operator instanceof Elementwise.Unary unary && unary.function() == Elementwise.Function.NEGATE) {
                return uniform(inputs.get(0)).map(number -> -number);
            }
            if (operator instanceof Binary binary && binary.pair() == Pair.MULTIPLY) {
                return uniform(inputs.get(0))
                        .flatMap(a -> uniform(inputs.get(1)).map(b -> a * b));
            }
            return Optional.empty();
        }

        /** Simplifies a value further: to a constant, or to an equal value. */
        private static Optional<Double> uniform(Value simplified) {
            Value one = simplified.operator() instanceof Spread spread && !spread.shared()
                    ? simplified.inputs().get(0)
                    : simplified;
            return one.operator() instanceof Leaf.Constant constant
                            && constant.value().shape().size() == 1
                            && one.type().isFloating()
                    ? Optional.of(constant.value().get(0))
                    : Optional.empty();
        }

        /** A constant of one number, repeated to a value's extents. */
        private Value filled(Value value, double number) {
            Value one = constant(value, number, value.shape().rank());
            if (one.result().equals(value.result())) {
                return one;
            }
            return known(value, new Spread(value.shape(), value.batched(), false), List.of(one));
        }

        private Value constant(Value value, double number, int rank) {
            Shape shape = Shape.ones(rank);
            Tensor tensor =
                    value.type() == ElementType.FLOAT32 ? Tensor.of(shape, (float) number) : Tensor.of(shape, number);
            Operator operator = new Leaf.Constant(tensor);
            return known.computeIfAbsent(
                    new Key(operator, List.of()),
                    key -> graph.made(value, operator, List.of(), operator.resultOf(List.of())));
        }

        private Value pair(Value value, Pair pair, Value a, Value b) {
            Optional<Double> left = uniform(a);
            Optional<Double> right = uniform(b);
            if (right.isPresent() && a.result().equals(value.result())) {
                Optional<Scalar> scalar = Optional.ofNullable(
                        switch (pair) {
                            case MULTIPLY -> new Scalar(right.get(), 0);
                            case ADD -> new Scalar(1, right.get());
                            case SUBTRACT -> new Scalar(1, -right.get());
                            default -> null;
                        });
                if (scalar.isPresent()) {
                    return scaled(value, scalar.get(), a);
                }
            }
            if (left.isPresent() && b.result().equals(value.result())) {
                if (pair == Pair.MULTIPLY || pair == Pair.ADD) {
                    return pair(value, pair, b, a);
                }
                if (pair == Pair.SUBTRACT) {
                    return scaled(value, new Scalar(-1, left.get()), b);
                }
            }
            return known(value, value.operator(), List.of(a, b));
        }

        private Value scaled(Value value, Scalar scalar, Value x) {
            if (scalar.scale() == 1 && scalar.shift() == 0) {
                return x;
            }
            if (x.operator() instanceof Scalar inner && inner.shift() == 0) {
                Scalar both = new Scalar(scalar.scale() * inner.scale(), scalar.shift());
                return scaled(value, both, x.inputs().get(0));
            }
            return known(value, scalar, List.of(x));
        }

        /** The value that is computed like this already, or a new one. A batch norm counts by its calls. */
        private Value known(Value value, Operator operator, List<Value> inputs) {
            boolean single = inputs.isEmpty() && !(operator instanceof Leaf.Constant) || operator instanceof BatchNorm;
            if (single) {
                return graph.made(value, operator, inputs, value.result());
            }
            return known.computeIfAbsent(
                    new Key(operator, inputs), key -> graph.made(value, operator, inputs, value.result()));
        }
    }
}
