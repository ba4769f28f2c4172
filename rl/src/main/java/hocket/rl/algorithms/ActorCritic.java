package hocket.rl.algorithms;

import static hocket.programs.Operators.reshape;

import hocket.programs.Distributions.Categorical;
import hocket.programs.Distributions.DiagonalGaussian;
import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.rl.actors.Choice;
import hocket.rl.actors.Mlp;
import hocket.rl.actors.Policy;
import hocket.rl.envs.Box;
import hocket.rl.envs.Discrete;
import hocket.rl.envs.Space;
import hocket.scopes.Declaration;
import hocket.scopes.Declaration.Fan;
import hocket.scopes.Declaration.Kind;
import hocket.scopes.ElementType;
import hocket.scopes.Initialiser;
import hocket.scopes.Shape;

/**
 * A policy and a critic beside it, each a network of its own over observations, with the programs that act and judge:
 * what policy gradients have in common. Discrete actions are drawn from logits, others from normals whose deviations do
 * not depend on the observation.
 *
 * @param graph of both
 * @param logProbability of the {@code action} that is fed
 * @param entropy of the policy, in nats
 * @param value that the critic gives
 * @param acting draws actions
 * @param best takes the most probable ones
 * @param judge gives value and log-probability
 */
record ActorCritic(
        Graph graph, Value logProbability, Value entropy, Value value, Policy acting, Policy best, Program judge) {
    /** What the actor's last layer begins with: nearly the same probability for all actions. */
    private static final double ACTOR_GAIN = 0.01;

    /** @throws IllegalArgumentException if the actions are neither discrete nor a box */
    static ActorCritic of(Space observations, Space actions, Mlp mlp) {
        Graph graph = new Graph();
        Value observation = graph.input(Policy.OBSERVATION, Shape.of(observations.width()));
        Value value = reshape(mlp.network(graph, "critic", 1, 1).apply(observation));
        if (actions instanceof Discrete discrete) {
            return discrete(mlp, graph, observation, value, discrete);
        } else if (actions instanceof Box box) {
            return continuous(mlp, graph, observation, value, box);
        }
        throw new IllegalArgumentException("environment: actions must be discrete or a box, are " + actions);
    }

    private static ActorCritic discrete(Mlp mlp, Graph graph, Value observation, Value value, Discrete actions) {
        Value action = graph.input("action", Shape.of(), ElementType.INT64);
        Network<Value, Value> actor = mlp.network(graph, "actor", actions.n(), ACTOR_GAIN);
        Categorical policy = new Categorical(actor.apply(observation));
        Value logProbability = policy.logProbability(action);
        Program act = Program.compile("act", Mode.EVAL, policy.logits());
        return new ActorCritic(
                graph,
                logProbability,
                policy.entropy(),
                value,
                new Policy(act, Choice.sampled(actions), Policy.Fit.SAME),
                new Policy(act, Choice.greatest(actions), Policy.Fit.SAME),
                Program.compile("judge", Mode.EVAL, value, logProbability));
    }

    private static ActorCritic continuous(Mlp mlp, Graph graph, Value observation, Value value, Box actions) {
        int width = actions.width();
        Value action = graph.input("action", Shape.of(width));
        Network<Value, DiagonalGaussian> actor = graph.module(
                "actor", seen -> new DiagonalGaussian(mlp.body(seen, width, ACTOR_GAIN), logDeviations(graph, width)));
        DiagonalGaussian policy = actor.apply(observation);
        Value logProbability = policy.logProbability(action);
        Program act = Program.compile("act", Mode.EVAL, policy.mean(), policy.logStd());
        return new ActorCritic(
                graph,
                logProbability,
                policy.entropy(),
                value,
                new Policy(act, Choice.gaussian(actions), Policy.Fit.CLIPPED),
                new Policy(act, Choice.given(width), Policy.Fit.CLIPPED),
                Program.compile("judge", Mode.EVAL, value, logProbability));
    }

    private static Value logDeviations(Graph graph, int width) {
        return graph.parameter(
                "log_std",
                (path, type) -> new Declaration(
                        path, Shape.of(width), type, Initialiser.zeros(), new Fan(width, width), Kind.WEIGHT));
    }
}
