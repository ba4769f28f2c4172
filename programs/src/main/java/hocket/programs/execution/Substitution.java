package hocket.programs.execution;

import hocket.programs.Graph;
import hocket.programs.Operators;
import hocket.programs.Value;
import hocket.programs.layers.ArgumentChecks;
import hocket.programs.operators.BatchNorm;
import hocket.programs.operators.Elementwise;
import hocket.scopes.Scope;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The same computation with some of its values exchanged, from graph to graph: {@code loss(x, y)} becomes {@code loss(x, y
 * - rate·∇y)}. What does not depend on an exchanged value is shared with the original, noise and inputs always, so that
 * both see the same draws and rows; the rest is made anew, by the same operators, under {@code substitution#1}, {@code
 * substitution#2}, …
 *
 * <p>What is made anew moves no running statistics: a batch norm becomes the operators that it is short for (in TRAIN
 * programs it normalises by the batch of its new input, in EVAL ones by the stored statistics), and the next value of
 * another statistic is used and not stored. The originals move them as ever, in programs that hold the originals.
 *
 * @param replaced what stands for which value; the new values are taken as they are, and not rewritten
 * @param passed values of {@link Operators#stopGradient} that stop no longer
 * @param resting batch norms and other running statistics that are made anew although nothing that they are made from
 *     is, so that they move nothing
 */
public record Substitution(Map<Value, Value> replaced, Set<Value> passed, Set<Value> resting) {
    /**
     * @throws IllegalArgumentException if a value would be replaced by one of another graph, shape or type, or what is to
     *     pass is no stopGradient, or what is to rest moves no statistic, naming it
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

    /** Some values for others. */
    public static Substitution of(Map<Value, Value> replaced) {
        return new Substitution(replaced, Set.of(), Set.of());
    }

    /** This, also taking these stopGradients away: gradients flow into what they detach. */
    public Substitution passing(Collection<Value> stops) {
        return new Substitution(replaced, union(passed, stops), resting);
    }

    /** This, also leaving the running statistics of these batch norms, or of other layers that keep some, as they are. */
    public Substitution resting(Collection<Value> statistics) {
        return new Substitution(replaced, passed, union(resting, statistics));
    }

    /** What stands for one value. Throws as {@link #in(List)}. */
    public Value in(Value target) {
        return in(List.of(target)).get(0);
    }

    /**
     * What stands for some values, in their order; those that do not depend on what is exchanged stand for themselves.
     *
     * @throws IllegalArgumentException naming the value, if they belong to another graph than what is exchanged, or an
     *     operator cannot take what it is given: the mask of a dropout is noise
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
        Map<Value, Value> made = new HashMap<>();
        try (Scope<Value> scope = graph.derived("substitution")) {
            for (Value value : above(targets)) {
                made.put(value, of(value, made));
            }
        }
        return targets.stream().map(made::get).toList();
    }

    /** What stands for a value, given what stands for its inputs. */
    private Value of(Value value, Map<Value, Value> made) {
        Value replacement = replaced.get(value);
        if (replacement != null) {
            return replacement;
        }
        List<Value> inputs = value.inputs().stream().map(made::get).toList();
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
        try {
            ArgumentChecks.check(value.operator(), inputs);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(value.path() + ": " + e.getMessage(), e);
        }
        return graph.numbered(value.operator(), inputs.toArray(Value[]::new));
    }

    /** Some values and what they are made from, down to what is replaced, each after its inputs. */
    private List<Value> above(List<Value> targets) {
        Set<Value> seen = new HashSet<>();
        List<Value> open = new ArrayList<>(targets);
        while (!open.isEmpty()) {
            Value value = open.remove(open.size() - 1);
            if (seen.add(value) && !replaced.containsKey(value)) {
                open.addAll(value.inputs());
            }
        }
        return seen.stream().sorted(Comparator.comparingInt(Value::id)).toList();
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
