package hocket.rl.networks;

import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.layers.Distributions.Distribution;
import hocket.rl.actors.Policy;
import hocket.rl.networks.PolicyHead.Choice;
import hocket.rl.spaces.Space;
import hocket.scopes.Shape;
import java.util.function.Consumer;

/**
 * A stochastic policy: the module {@code actor} over observations, with parameters {@code actor/…}. Discrete, several
 * discrete and binary actions are drawn from logits, actions of a box from normal distributions whose deviations do not
 * depend on the observation. Other networks of the same agent are modules of the same graph.
 *
 * @param graph of the policy
 * @param observation its input {@code observation}, of the space's shape; with a memory {@code observations} (T, …)
 * @param action its input {@code action}, the action taken, of the space's shape and type; an action of a box as it was
 *     drawn, not clipped; with a memory {@code actions} (T, …)
 * @param policy for the observation
 * @param logProbability of the action, () or (T), in nats
 * @param entropy of the policy, () or (T), in nats
 * @param acting draws actions
 * @param best takes the most probable ones
 */
public record Actor(
        Graph graph,
        Value observation,
        Value action,
        Distribution policy,
        Value logProbability,
        Value entropy,
        Policy acting,
        Policy best) {
    /** The gain of the last layer's initial weights: nearly the same probability for all actions. */
    static final double GAIN = 0.01;

    /** {@link #of(NetworkBody, Space, boolean)} without a mask. */
    public static Actor of(NetworkBody body, Space actions) {
        return of(body, actions, false);
    }

    /**
     * Makes a policy in a separate graph.
     *
     * @param body the layers of the network, but the last
     * @param actions the action space
     * @param isMasked whether it keeps to a mask of actions, by an input {@code mask}; of discrete and multi-discrete actions
     * @throws IllegalArgumentException if the encoder does not fit the observations
     */
    public static Actor of(NetworkBody body, Space actions, boolean isMasked) {
        return of(body, actions, isMasked, features -> {});
    }

    /**
     * Makes a policy as above, and gives the units of its last hidden layer, (n), to {@code features}. They are no output of the
     * module, whose exports give the policy alone.
     */
    static Actor of(NetworkBody body, Space actions, boolean isMasked, Consumer<Value> features) {
        PolicyHead head = PolicyHead.of(actions);
        Graph graph = new Graph();
        Value observation = graph.input(Policy.OBSERVATION, body.observations().shape());
        Value action = graph.input("action", actions.actionShape(), actions.type());
        Value mask = isMasked ? graph.input(Policy.MASK, Shape.of(actions.maskWidth())) : null;
        Network<Value, Choice> actor = graph.module("actor", seen -> {
            Value read = body.hidden(seen);
            features.accept(read);
            return head.of(graph, body.last(read, head.outputs(), GAIN), mask);
        });
        Choice choice = actor.apply(observation);
        Program act = Program.compile("act", Mode.EVAL, choice.parameters().toArray(Value[]::new));
        return new Actor(
                graph,
                observation,
                action,
                choice.distribution(),
                choice.distribution().logProbability(action),
                choice.entropy(),
                new Policy(act, head.drawn(), head.transform()),
                new Policy(act, head.best(), head.transform()));
    }
}
