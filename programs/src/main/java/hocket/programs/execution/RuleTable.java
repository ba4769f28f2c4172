package hocket.programs.execution;

import hocket.programs.Value;
import hocket.programs.operators.Composed;
import hocket.programs.operators.Composition;
import hocket.programs.operators.Leaf;
import hocket.programs.operators.Operator;
import hocket.programs.operators.Primitive;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The rules by which a lowering computes operators: one for each primitive operator, and for those composed ones that it
 * computes faster than their parts.
 *
 * @param <R> what a rule is
 */
public final class RuleTable<R> {
    private final Primitive.Rules<R> primitives;
    private final Map<Class<?>, Function<Operator, R>> composed = new HashMap<>();

    public RuleTable(Primitive.Rules<R> primitives) {
        this.primitives = primitives;
    }

    /** Adds a rule for a composed operator, which is then not decomposed. */
    public <C extends Composed> RuleTable<R> with(Class<C> type, Function<? super C, ? extends R> rule) {
        composed.put(type, operator -> rule.apply(type.cast(operator)));
        return this;
    }

    /** Returns the rule for an operator; empty where there is none. */
    public Optional<R> rule(Operator operator) {
        if (operator instanceof Primitive primitive) {
            return Optional.ofNullable(primitive.rule(primitives));
        }
        return Optional.ofNullable(composed.get(operator.getClass())).map(rule -> rule.apply(operator));
    }

    public boolean covers(Operator operator) {
        return rule(operator).isPresent();
    }

    /**
     * Returns the rule for the operator of a value.
     *
     * @throws IllegalArgumentException if there is none, naming both
     */
    public R require(Value value) {
        return rule(value.operator())
                .orElseThrow(() -> new IllegalArgumentException(
                        value + ": there is no rule for " + value.operator().kind()));
    }

    /** Returns the first of some values whose operator has no rule, not even for what it is composed of. */
    public Optional<Value> uncovered(Collection<Value> values) {
        return values.stream().flatMap(value -> uncovered(value).stream()).findFirst();
    }

    private Optional<Value> uncovered(Value value) {
        if (value.operator() instanceof Leaf || covers(value.operator())) {
            return Optional.empty();
        }
        return value.operator() instanceof Composed operator
                ? uncovered(Composition.of(value.path().text(), operator, value.inputs())
                        .parts())
                : Optional.of(value);
    }
}
