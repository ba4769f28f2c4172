package hocket.rl.actors;

import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.layers.Distributions.Categorical;
import hocket.programs.layers.Distributions.DiagonalGaussian;
import hocket.programs.layers.Distributions.Distribution;
import hocket.rl.spaces.Box;
import hocket.rl.spaces.Discrete;
import hocket.rl.spaces.Space;
import hocket.scopes.Declaration;
import hocket.scopes.Declaration.Fan;
import hocket.scopes.Declaration.Kind;
import hocket.scopes.ElementType;
import hocket.scopes.Initialiser;
import hocket.scopes.Shape;

/**
 * A stochastic policy: the module {@code actor} over observations, with parameters {@code actor/…}. Discrete actions
 * are drawn from logits, actions of a box from normal distributions whose deviations do not depend on the observation.
 * Other networks of the same agent are modules of the same graph.
 *
 * @param graph of the policy
 * @param observation its input {@code observation}, (w) for observations of w numbers
 * @param action its input {@code action}, the action taken: () of INT64, an index from 0, for discrete actions; (a) for
 *     those of a box of a numbers, as they were drawn, not clipped
 * @param policy for the observation
 * @param logProbability of the action, (), in nats
 * @param entropy of the policy, (), in nats
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
    private static final double GAIN = 0.01;

    /**
     * Makes a policy in a separate graph.
     *
     * @param observations the observation space, whose width is that of the input
     * @param actions the action space, {@link Discrete} or a {@link Box}
     * @param mlp the layers of the network
     * @throws IllegalArgumentException if the actions are neither discrete nor a box
     */
    public static Actor of(Space observations, Space actions, Mlp mlp) {
        Graph graph = new Graph();
        Value observation = graph.input(Policy.OBSERVATION, Shape.of(observations.width()));
        if (actions instanceof Discrete discrete) {
            return discrete(mlp, graph, observation, discrete);
        } else if (actions instanceof Box box) {
            return continuous(mlp, graph, observation, box);
        }
        throw new IllegalArgumentException("environment: actions must be discrete or a box, are " + actions);
    }

    private static Actor discrete(Mlp mlp, Graph graph, Value observation, Discrete actions) {
        Value action = graph.input("action", Shape.of(), ElementType.INT64);
        Network<Value, Value> actor = mlp.network(graph, "actor", actions.n(), GAIN);
        Categorical policy = new Categorical(actor.apply(observation));
        Program act = Program.compile("act", Mode.EVAL, policy.logits());
        return new Actor(
                graph,
                observation,
                action,
                policy,
                policy.logProbability(action),
                policy.entropy(),
                new Policy(act, ActionSelection.sampled(actions), Policy.ActionTransform.SAME),
                new Policy(act, ActionSelection.greedy(actions), Policy.ActionTransform.SAME));
    }

    private static Actor continuous(Mlp mlp, Graph graph, Value observation, Box actions) {
        int width = actions.width();
        Value action = graph.input("action", Shape.of(width));
        Network<Value, DiagonalGaussian> actor = graph.module(
                "actor", seen -> new DiagonalGaussian(mlp.body(seen, width, GAIN), logDeviations(graph, width)));
        DiagonalGaussian policy = actor.apply(observation);
        Program act = Program.compile("act", Mode.EVAL, policy.mean(), policy.logStd());
        return new Actor(
                graph,
                observation,
                action,
                policy,
                policy.logProbability(action),
                policy.entropy(),
                new Policy(act, ActionSelection.gaussian(actions), Policy.ActionTransform.CLIPPED),
                new Policy(act, ActionSelection.deterministic(width), Policy.ActionTransform.CLIPPED));
    }

    private static Value logDeviations(Graph graph, int width) {
        return graph.parameter(
                "log_std",
                (path, type) -> new Declaration(
                        path, Shape.of(width), type, Initialiser.zeros(), new Fan(width, width), Kind.WEIGHT));
    }
}
