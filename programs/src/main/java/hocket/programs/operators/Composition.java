package hocket.programs.operators;

import hocket.programs.Gradients;
import hocket.programs.Graph;
import hocket.programs.Value;
import hocket.programs.execution.RowCost;
import hocket.scopes.Scope;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * The operators of which a composed operator consists, in a graph of its own.
 *
 * @param inputs stand for the operator's inputs: of the same operators and types, in their order
 * @param result the result
 */
public record Composition(List<Value> inputs, Value result) {
    public Composition {
        inputs = List.copyOf(inputs);
    }

    /**
     * Composes.
     *
     * @param name under which the parts are called: {@code name#1/multiply}
     * @throws IllegalArgumentException if the inputs do not fit, or the operator makes parameters, inputs or noise
     */
    public static Composition of(String name, Composed operator, List<Value> inputs) {
        if (inputs.isEmpty()) {
            operator.composed(inputs); // which says why there is none
            throw new IllegalArgumentException(name + ": " + operator.kind() + " has no input");
        }
        Graph graph = new Graph(inputs.get(0).graph().floatType());
        List<Value> own = new ArrayList<>();
        for (Value input : inputs) {
            own.add(graph.made(input, input.operator(), input.inputs(), input.result()));
        }
        try (Scope<Value> scope = graph.derived(name)) {
            Value result = operator.composed(own);
            Operator.require(
                    result != null && result.graph() == graph,
                    operator.kind() + " must return a value made of its inputs, was " + result);
            Composition composition = new Composition(own, result);
            for (Value part : composition.parts()) {
                Operator.require(
                        !(part.operator() instanceof Leaf) || part.operator() instanceof Leaf.Constant,
                        operator.kind() + " must be made of its inputs and of constants, has " + part);
            }
            return composition;
        }
    }

    /**
     * Returns the gradient of a composed operator by one of its inputs, through its parts. What flows on from an input,
     * which may be made of another, is not the operator's.
     *
     * @param upstream the gradient by the result
     * @param by one of the inputs, which it has once; zeros where nothing flows
     */
    public static Value gradient(Composed operator, List<Value> inputs, Value upstream, Value by) {
        Value gradient = gradients(operator, inputs, upstream, List.of(by)).get(by);
        return gradient == null ? Gradients.zeros(by) : gradient;
    }

    static Map<Value, Value> gradients(Composed operator, List<Value> inputs, Value upstream, List<Value> by) {
        return Gradients.gradients(
                operator.composed(inputs), upstream, by, value -> inputs.contains(value) ? List.of() : value.inputs());
    }

    /** The values of the composition, each after its inputs, without what stands for the operator's. */
    public List<Value> parts() {
        Set<Value> own = new HashSet<>(inputs);
        return Value.above(List.of(result), value -> own.contains(value) ? List.of() : value.inputs()).stream()
                .filter(value -> !own.contains(value))
                .toList();
    }

    RowCost sum(Function<Value, RowCost> cost) {
        return parts().stream().map(cost).reduce(RowCost.NONE, RowCost::plus);
    }
}
