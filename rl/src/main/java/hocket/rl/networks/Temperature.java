package hocket.rl.networks;

import static hocket.programs.Operators.exp;

import hocket.programs.Graph;
import hocket.programs.Value;
import hocket.scopes.Declaration;
import hocket.scopes.Declaration.Fan;
import hocket.scopes.Initialiser;
import hocket.scopes.Shape;
import java.util.Optional;

/**
 * The weight of a policy's entropy in soft actor-critic, which is fixed, or learned by its logarithm.
 *
 * @param logarithm log α, one number: the parameter {@code temperature/log_alpha}; empty if it is fixed
 * @param value α, one number
 */
public record Temperature(Optional<Value> logarithm, Value value) {
    /** Makes the module {@code temperature}, whose α is this at first. */
    public static Temperature of(Graph graph, double first) {
        try (var temperature = graph.module("temperature")) {
            Initialiser initial = Initialiser.constant(StrictMath.log(first));
            Value logarithm = graph.parameter(
                    "log_alpha",
                    (path, type) ->
                            new Declaration(path, Shape.of(), type, initial, Fan.NONE, Declaration.Kind.WEIGHT));
            return new Temperature(Optional.of(logarithm), exp(logarithm));
        }
    }

    /** Makes a temperature that stays as it is. */
    public static Temperature fixed(Graph graph, double value) {
        return new Temperature(Optional.empty(), graph.constant(value));
    }
}
