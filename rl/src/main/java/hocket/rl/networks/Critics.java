package hocket.rl.networks;

import static hocket.programs.Operators.abs;
import static hocket.programs.Operators.concat;
import static hocket.programs.Operators.pick;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.subtract;

import hocket.programs.Graph;
import hocket.programs.Network;
import hocket.programs.Operators;
import hocket.programs.Value;
import hocket.rl.losses.BellmanTargets;
import hocket.rl.losses.RegressionLoss;
import hocket.rl.spaces.Box;
import hocket.rl.spaces.Discrete;
import hocket.rl.spaces.Space;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Critics that are trained side by side, whose smallest value is used (Fujimoto et al. 2018 have two).
 *
 * @param values of each critic: () for one action, (n) for all of n discrete actions
 */
public record Critics(List<Value> values) {
    public Critics {
        values = List.copyOf(values);
    }

    /**
     * The input of critics of actions in a box.
     *
     * @param observation of the space's shape
     * @param action (a), of the box
     */
    public record Input(Value observation, Value action) {}

    /**
     * Makes the module {@code critic}, with parameters {@code critic/q1/…}, {@code critic/q2/…} and so on; its {@code
     * at("target/critic")} is the target network.
     *
     * @param count number of critics, at least 1
     */
    public static Network<Input, Critics> network(Graph graph, NetworkBody body, int count) {
        return graph.module(
                "critic",
                (Input input) -> each(graph, count, () -> {
                    Value both = concat(0, body.features(input.observation()), input.action());
                    return reshape(body.mlp().body(both, 1, 1));
                }));
    }

    /** Makes the same module from an observation to the values of n discrete actions. */
    public static Network<Value, Critics> ofActions(Graph graph, NetworkBody body, int n, int count) {
        return graph.module("critic", (Value seen) -> ofActions(graph, body, seen, n, count));
    }

    /**
     * Makes the same module from an observation and one action, discrete or of a box, to the values of that action.
     *
     * @throws IllegalArgumentException if actions are of another kind
     */
    public static Network<Input, Critics> of(Graph graph, NetworkBody body, Space actions, int count) {
        if (actions instanceof Discrete discrete) {
            return graph.module(
                    "critic",
                    (Input input) -> ofActions(graph, body, input.observation(), discrete.n(), count)
                            .of(input.action()));
        } else if (actions instanceof Box) {
            return network(graph, body, count);
        }
        throw new IllegalArgumentException(
                "environment: critics need actions that are discrete or of a box, these are " + actions);
    }

    private static Critics ofActions(Graph graph, NetworkBody body, Value seen, int n, int count) {
        return each(graph, count, () -> ActionValues.of(body, seen, n, false));
    }

    private static Critics each(Graph graph, int count, Supplier<Value> critic) {
        List<Value> values = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            try (var scope = graph.scope("q" + i)) {
                values.add(critic.get());
            }
        }
        return new Critics(values);
    }

    /** Returns the values of one action, () of INT64, of critics of discrete actions. */
    public Critics of(Value action) {
        return new Critics(values.stream().map(value -> pick(value, action)).toList());
    }

    /** Returns the first critic's value. */
    public Value first() {
        return values.get(0);
    }

    /** Returns the smallest of the values, of their shape. */
    public Value minimum() {
        return BellmanTargets.minQ(each());
    }

    /** Returns the sum of the losses of these values to a target of their shape; one number. */
    public Value loss(RegressionLoss regression, Value target) {
        return regression.loss(target, each());
    }

    /** Returns the values of each critic, in a new array. */
    public Value[] each() {
        return values.toArray(Value[]::new);
    }

    /**
     * Returns the largest absolute error of a critic from a target of their shape, of that shape: by it a replay gives priorities,
     * as those of Fujimoto et al. 2020 ("An Equivalence between Loss Functions and Non-Uniform Sampling"); their clipping and
     * their loss without weights are not used.
     */
    public Value error(Value target) {
        return values.stream()
                .map(value -> abs(subtract(target, value)))
                .reduce(Operators::maximum)
                .orElseThrow();
    }
}
