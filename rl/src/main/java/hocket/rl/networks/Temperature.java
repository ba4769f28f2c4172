package hocket.rl.networks;

import static hocket.programs.Operators.exp;

import hocket.programs.Graph;
import hocket.programs.Value;
import hocket.scopes.Declaration;
import hocket.scopes.Shape;

/**
 * The weight of a policy's entropy in soft actor-critic, which is learned by its logarithm; initially 1.
 *
 * @param logarithm log α, one number: the parameter {@code temperature/log_alpha}
 * @param value α, one number
 */
public record Temperature(Value logarithm, Value value) {
    /** Makes the module {@code temperature}. */
    public static Temperature of(Graph graph) {
        try (var temperature = graph.module("temperature")) {
            Value logarithm = graph.parameter("log_alpha", (path, type) -> Declaration.zeros(path, Shape.of(), type));
            return new Temperature(logarithm, exp(logarithm));
        }
    }
}
