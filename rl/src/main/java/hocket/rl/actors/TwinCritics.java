package hocket.rl.actors;

import static hocket.programs.Operators.concat;
import static hocket.programs.Operators.reshape;

import hocket.programs.Graph;
import hocket.programs.Network;
import hocket.programs.Value;
import hocket.rl.losses.BellmanTargets;

/**
 * Two critics of observation and action, whose smaller value is used (Fujimoto et al. 2018).
 *
 * @param first the value of each row by the first critic, ()
 * @param second the value of each row by the second critic, ()
 */
public record TwinCritics(Value first, Value second) {
    /**
     * The input of the critics.
     *
     * @param observation (w)
     * @param action (a), of a box
     */
    public record Input(Value observation, Value action) {}

    /**
     * Makes the module {@code critic}, with parameters {@code critic/q1/…} and {@code critic/q2/…}; its {@code
     * at("target/critic")} is the target network.
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

    /** The smaller of the two values in each row, (). */
    public Value minimum() {
        return BellmanTargets.minQ(first, second);
    }
}
