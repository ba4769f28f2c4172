package hocket.programs;

import hocket.programs.operators.Arrangement;
import hocket.programs.operators.Reduction.How;
import hocket.programs.operators.Reduction.Reduce;
import hocket.scopes.Scope;
import hocket.scopes.Shape;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Reverse-mode differentiation from graph to graph: gradients are values like others, made of the same operators, so that
 * a loss may contain them (penalties, Hessian-vector products) and they can be differentiated again, to any order.
 * {@link Operators#stopGradient} cuts them; what is not smooth (comparisons, argmax) has none.
 *
 * <p>For example:
 *
 * <pre>{@code
 * Value slope = Gradients.of(sum(discriminator.apply(real)), real).get(0); // of each row
 * Loss penalty = Loss.of(mean(sum(flatten(square(slope)), 0)));
 * }</pre>
 */
public final class Gradients {
    private Gradients() {}

    /**
     * The gradient of one number by each of some values: for each a value of its shape, with a batch axis where it has
     * one. The gradient of a sum over a batch by a batched value is so each row's own gradient by its own row, as
     * long as rows do not mix (they do in a batch norm that normalises by the batch). Where nothing flows it is zero.
     *
     * @param number without a batch axis, one element
     * @throws IllegalArgumentException if it is not one number, or belongs to another graph
     */
    public static List<Value> of(Value number, Value... by) {
        if (number.batched() || number.shape().size() != 1) {
            throw new IllegalArgumentException(
                    "gradients are of a single number, such as a mean or sum, was " + number);
        }
        try (Scope<Value> scope = number.graph().derived("gradients")) {
            Value one = number.graph().constant(1);
            return of(number, Operators.reshape(one, number.shape().extents()), List.of(by));
        }
    }

    /**
     * The product of a value's Jacobian, transposed, with a vector: the gradients of {@code sum(upstream · value)} with
     * upstream held constant.
     *
     * @param upstream of the value's shape, batched as it is
     * @throws IllegalArgumentException if the shapes differ, or the graphs
     */
    public static List<Value> vectorJacobian(Value value, Value upstream, Value... by) {
        if (!value.result().equals(upstream.result())) {
            throw new IllegalArgumentException("upstream must be as " + value + ", was " + upstream);
        }
        try (Scope<Value> scope = value.graph().derived("gradients")) {
            return of(value, upstream, List.of(by));
        }
    }

    /** The gradient of one number by each of some values, in its graph's current scope. */
    private static List<Value> of(Value value, Value upstream, List<Value> by) {
        by.forEach(x -> requireSameGraph(value, x));
        Map<Value, Value> sums = gradients(value, upstream, by, Value::inputs);
        List<Value> all = new ArrayList<>();
        for (Value x : by) {
            Value sum = sums.get(x);
            all.add(sum == null ? zeros(x) : sum);
        }
        return all;
    }

    /**
     * The gradients by those of some values that it reaches.
     *
     * @param inputs returns the inputs of a value
     */
    public static Map<Value, Value> gradients(
            Value value, Value upstream, Collection<Value> by, Function<Value, List<Value>> inputs) {
        return gradients(Map.of(value, upstream), by, inputs);
    }

    /**
     * The same of several values at once.
     *
     * @param upstream the gradient by each
     */
    public static Map<Value, Value> gradients(
            Map<Value, Value> upstream, Collection<Value> by, Function<Value, List<Value>> inputs) {
        Set<Value> leading = leadingTo(upstream.keySet(), by, inputs);
        Map<Value, Value> wanted = new HashMap<>();
        GradientParts parts = new GradientParts();
        // The last made first: all that a value flows into has been seen when its turn comes.
        PriorityQueue<Value> open = new PriorityQueue<>((a, b) -> Integer.compare(b.id(), a.id()));
        upstream.forEach((value, gradient) -> {
            if (leading.contains(value)) {
                parts.add(value, gradient);
                open.add(value);
            }
        });
        while (!open.isEmpty()) {
            Value y = open.remove();
            Value gradient = parts.total(y);
            if (by.contains(y)) {
                wanted.put(y, gradient);
            }
            List<Value> from = inputs.apply(y);
            SortedSet<Integer> reaching = IntStream.range(0, from.size())
                    .filter(i -> leading.contains(from.get(i)) && y.operator().differentiable(i))
                    .boxed()
                    .collect(Collectors.toCollection(TreeSet::new));
            List<Value> fresh = reaching.stream()
                    .map(from::get)
                    .distinct()
                    .filter(x -> !parts.has(x))
                    .toList();
            SortedSet<Integer> asked = parts.kept(y, gradient, reaching);
            if (!asked.isEmpty()) { // else it may be an input of a composed operator, whose own inputs are in another
                // graph
                y.operator()
                        .gradients(y, gradient, asked)
                        .forEach((i, part) -> parts.add(from.get(i), reduced(part, from.get(i), How.SUM)));
            }
            fresh.stream().filter(parts::has).forEach(open::add); // an operator may give an input none
        }
        return wanted;
    }

    /** Returns the values between some values and results of them, both included: a gradient flows along these. */
    private static Set<Value> leadingTo(
            Collection<Value> values, Collection<Value> by, Function<Value, List<Value>> inputs) {
        Set<Value> above = new HashSet<>();
        List<Value> open = new ArrayList<>(values);
        while (!open.isEmpty()) {
            Value y = open.remove(open.size() - 1);
            if (y.type().isFloating() && above.add(y)) {
                List<Value> from = inputs.apply(y);
                for (int i = 0; i < from.size(); i++) {
                    if (y.operator().differentiable(i)) {
                        open.add(from.get(i));
                    }
                }
            }
        }
        Set<Value> leading = new HashSet<>();
        above.stream().sorted((a, b) -> Integer.compare(a.id(), b.id())).forEach(y -> {
            List<Value> from = inputs.apply(y);
            boolean leads = by.contains(y);
            for (int i = 0; !leads && i < from.size(); i++) {
                leads = y.operator().differentiable(i) && leading.contains(from.get(i));
            }
            if (leads) {
                leading.add(y);
            }
        });
        return leading;
    }

    /** Sums a gradient by a broadcast value over its repetitions, to the value's own shape. */
    public static Value reduced(Value gradient, Value like, How how) {
        Graph graph = gradient.graph();
        Value sum = gradient;
        if (sum.batched() && !like.batched()) {
            sum = graph.numbered(new Reduce(how, Reduce.BATCH), sum);
        }
        int more = sum.shape().rank() - like.shape().rank();
        for (int axis = sum.shape().rank() - 1; axis >= 0; axis--) {
            boolean repeated = axis < more
                    || (like.shape().get(axis - more) == 1 && sum.shape().get(axis) != 1);
            sum = repeated ? graph.numbered(new Reduce(how, axis), sum) : sum;
        }
        return sum.shape().equals(like.shape())
                ? sum
                : Operators.reshape(sum, like.shape().extents());
    }

    /** Returns zeros of the shape of a value. */
    public static Value zeros(Value like) {
        Value zero = Operators.reshape(
                like.graph().constant(0), Shape.ones(like.shape().rank()).extents());
        return like.graph().numbered(new Arrangement.Spread(like.shape(), like.batched(), false), zero);
    }

    private static void requireSameGraph(Value value, Value x) {
        if (x.graph() != value.graph()) {
            throw new IllegalArgumentException(x + " belongs to another graph than " + value);
        }
        if (!x.type().isFloating()) {
            throw new IllegalArgumentException("there is no gradient by " + x);
        }
    }
}
