package hocket.programs.execution;

import hocket.programs.Graph;
import hocket.programs.Operators;
import hocket.programs.Value;
import hocket.programs.operators.BatchNorm;
import hocket.programs.operators.Elementwise;
import hocket.scopes.Scope;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A computation with some of its values replaced, as a new part of the graph: {@code loss(x, y)} becomes {@code loss(x,
 * y - rate·∇y)}. Values that do not depend on a replaced one are shared with the original, noise and inputs always, so
 * that both see the same draws and rows; the others are made again by the same operators, under {@code substitution#1},
 * {@code substitution#2}, …
 *
 * <p>New values update no running statistics: a batch norm becomes the operators that it consists of (in TRAIN programs
 * it normalises by the batch of its new input, in EVAL ones by the stored statistics), and the next value of another
 * statistic is used and not stored. The originals update them as before, in programs that hold the originals.
 *
 * @param replaced replacements by value; they are not rewritten themselves
 * @param passed values of {@link Operators#stopGradient} that stop no longer
 * @param resting batch norms and other running statistics that are made again without updates, though none of their
 *     inputs is replaced
 */
public record Substitution(Map<Value, Value> replaced, Set<Value> passed, Set<Value> resting) {
    /**
     * @throws IllegalArgumentException if a value would be replaced by one of another graph, shape or type, or a value
     *     to pass is no stopGradient, or a value to rest updates no statistic, naming it
     */
    public Substitution {
        replaced = Map.copyOf(replaced);
        passed = Set.copyOf(passed);
        resting = Set.copyOf(resting);
        replaced.forEach(Substitution::requireAlike);
        for (Value value : passed) {
            if (!(value.operator() instanceof Elementwise.StopGradient)) {
                throw new IllegalArgumentException(
                        value + " is made by " + value.operator().kind() + ": only a stopGradient can be passed");
            }
        }
        for (Value value : resting) {
            if (!(value.operator() instanceof BatchNorm || value.operator() instanceof Elementwise.Running)) {
                throw new IllegalArgumentException(value + " is made by "
                        + value.operator().kind() + ": only a running statistic can be left at rest");
            }
        }
    }

    /** Makes a substitution of some values by others. */
    public static Substitution of(Map<Value, Value> replaced) {
        return new Substitution(replaced, Set.of(), Set.of());
    }

    /** Returns this substitution without these stopGradients, so that gradients flow through them. */
    public Substitution passing(Collection<Value> stops) {
        return new Substitution(replaced, union(passed, stops), resting);
    }

    /** Returns this substitution without updates of the running statistics of these batch norms or other layers. */
    public Substitution resting(Collection<Value> statistics) {
        return new Substitution(replaced, passed, union(resting, statistics));
    }

    /** Returns the replacement of a value. Throws as {@link #in(List)}. */
    public Value in(Value target) {
        return in(List.of(target)).get(0);
    }

    /**
     * Returns the replacements of some values, in their order; values that depend on no replaced one are unchanged.
     *
     * @throws IllegalArgumentException naming the value, if they belong to another graph than the replaced values, or
     *     an operator cannot take its new input: the mask of a dropout is noise
     */
    public List<Value> in(List<Value> targets) {
        if (targets.isEmpty()) {
            return List.of();
        }
        Graph graph = targets.get(0).graph();
        requireOf(graph, targets);
        requireOf(graph, replaced.keySet());
        requireOf(graph, passed);
        requireOf(graph, resting);
        try (Scope<Value> scope = graph.derived("substitution")) {
            Map<Value, Value> made = Rewriter.rewritten(targets, replaced, Value::inputs, this::remade);
            return targets.stream().map(made::get).toList();
        }
    }

    private Value remade(Value value, List<Value> inputs) {
        if (passed.contains(value)) {
            return inputs.get(0);
        }
        if (inputs.equals(value.inputs()) && !resting.contains(value)) {
            return value;
        }
        Graph graph = value.graph();
        if (value.operator() instanceof BatchNorm norm) {
            return norm.composed(inputs);
        }
        if (value.operator() instanceof Elementwise.Running) {
            Value next = inputs.get(Elementwise.Running.NEXT);
            Value stored = inputs.get(Elementwise.Running.STATISTIC);
            return Operators.stopGradient(graph.numbered(new Elementwise.ByMode(), next, stored));
        }
        value.operator().resultOf(inputs); // before the value has a new name, which would be in the message
        return graph.numbered(value.operator(), inputs.toArray(Value[]::new));
    }

    private static void requireAlike(Value from, Value to) {
        if (from.graph() != to.graph()) {
            throw new IllegalArgumentException(to + " belongs to another graph than " + from + ", which it replaces");
        }
        if (!from.result().equals(to.result())) {
            throw new IllegalArgumentException(
                    from + " can only be replaced by a value of its shape and type, was " + to);
        }
    }

    private static void requireOf(Graph graph, Collection<Value> values) {
        for (Value value : values) {
            if (value.graph() != graph) {
                throw new IllegalArgumentException(value + " belongs to another graph than what it is substituted in");
            }
        }
    }

    private static Set<Value> union(Set<Value> some, Collection<Value> more) {
        Set<Value> union = new HashSet<>(some);
        union.addAll(more);
        return union;
    }
}
