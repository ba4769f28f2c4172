package hocket.rl.algorithms;

import hocket.programs.Graph;
import hocket.programs.Value;
import hocket.rl.actors.Policy;
import hocket.rl.replay.Replay;
import hocket.schedulers.Source.Column;

/** The inputs of a graph that a replay's columns feed. */
record Transition(Value observation, Value next, Value action, Value reward, Value discount) {
    static Transition of(Graph graph, Replay replay) {
        return new Transition(
                input(graph, replay, Policy.OBSERVATION),
                input(graph, replay, "next_observation"),
                input(graph, replay, "action"),
                input(graph, replay, "reward"),
                input(graph, replay, "discount"));
    }

    private static Value input(Graph graph, Replay replay, String name) {
        Column column = replay.columns().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
        return graph.input(name, column.shape(), column.type());
    }
}
