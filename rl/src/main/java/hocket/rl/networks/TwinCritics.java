package hocket.rl.networks;

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
     * @param observation of the space's shape
     * @param action (a), of a box
     */
    public record Input(Value observation, Value action) {}

    /**
     * Makes the module {@code critic}, with parameters {@code critic/q1/…} and {@code critic/q2/…}; its {@code
     * at("target/critic")} is the target network.
     */
    public static Network<Input, TwinCritics> network(Graph graph, NetworkBody body) {
        return graph.module(
                "critic", (Input input) -> new TwinCritics(q(graph, "q1", body, input), q(graph, "q2", body, input)));
    }

    private static Value q(Graph graph, String name, NetworkBody body, Input input) {
        try (var scope = graph.scope(name)) {
            Value both = concat(0, body.features(input.observation()), input.action());
            return reshape(body.mlp().body(both, 1, 1));
        }
    }

    /** The smaller of the two values in each row, (). */
    public Value minimum() {
        return BellmanTargets.minQ(first, second);
    }
}
