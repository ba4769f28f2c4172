package hocket.rl.algorithms;

import static hocket.programs.Operators.concat;
import static hocket.programs.Operators.reshape;

import hocket.programs.Graph;
import hocket.programs.Network;
import hocket.programs.Value;
import hocket.rl.actors.Mlp;
import hocket.rl.losses.Targets;

/**
 * Two critics of observation and action, of which the smaller value is believed (Fujimoto et al. 2018).
 *
 * @param first value of each row
 * @param second value of each row
 */
record TwinCritics(Value first, Value second) {
    /** What critics read. */
    record Input(Value observation, Value action) {}

    /** The module {@code critic}, with parameters {@code critic/q1/…} and {@code critic/q2/…}. */
    static Network<Input, TwinCritics> network(Graph graph, Mlp mlp) {
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

    Value smaller() {
        return Targets.smallest(first, second);
    }
}
