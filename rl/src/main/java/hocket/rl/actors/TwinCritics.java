package hocket.rl.actors;

import static hocket.programs.Operators.concat;
import static hocket.programs.Operators.reshape;

import hocket.programs.Graph;
import hocket.programs.Network;
import hocket.programs.Value;
import hocket.rl.losses.Targets;

/**
 * Two critics of observation and action, of which the smaller value is believed (Fujimoto et al. 2018).
 *
 * @param first value of each row, ()
 * @param second value of each row, ()
 */
public record TwinCritics(Value first, Value second) {
    /**
     * What critics read.
     *
     * @param observation (w)
     * @param action (a), of a box
     */
    public record Input(Value observation, Value action) {}

    /**
     * The module {@code critic}, with parameters {@code critic/q1/…} and {@code critic/q2/…}; {@code at("target/critic")}
     * of it is its target network.
     */
    public static Network<Input, TwinCritics> network(Graph graph, Mlp mlp) {
        return graph.module("critic", (Input input) -> {
            Value both = concat(0, input.observation(), input.action());
            return new TwinCritics(q(graph, "q1", mlp, both), q(graph, "q2", mlp, both));
        });
    }

    private static Value q(Graph graph, String name, Mlp mlp, Value both) {
        try (var scope = graph.scope(name)) {
            return reshape(mlp.body(both, 1, 1));
        }
    }

    /** The smaller of both values in each row, (). */
    public Value smaller() {
        return Targets.smallest(first, second);
    }
}
