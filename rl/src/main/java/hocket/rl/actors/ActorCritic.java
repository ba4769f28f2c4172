package hocket.rl.actors;

import static hocket.programs.Operators.reshape;

import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.rl.envs.Space;

/**
 * A policy and a critic beside it, each a network of its own over observations: what policy gradients have in common.
 *
 * @param actor the policy, with parameters {@code actor/…}
 * @param value of the observation, () a row, by the module {@code critic} with parameters {@code critic/…}
 * @param judge an EVAL program of {@code observation} and {@code action} that gives value and log-probability: what a
 *     {@link hocket.rl.replay.Rollout} asks
 */
public record ActorCritic(Actor actor, Value value, Program judge) {
    /**
     * Both in a graph of their own; the critic has layers like the actor's.
     *
     * @throws IllegalArgumentException if the actions are neither discrete nor a box
     */
    public static ActorCritic of(Space observations, Space actions, Mlp mlp) {
        Actor actor = Actor.of(observations, actions, mlp);
        Value value = reshape(mlp.network(actor.graph(), "critic", 1, 1).apply(actor.observation()));
        return new ActorCritic(actor, value, Program.compile("judge", Mode.EVAL, value, actor.logProbability()));
    }

    /** The graph that holds both. */
    public Graph graph() {
        return actor.graph();
    }

    /** Of the action under the policy, () a row, in nats. */
    public Value logProbability() {
        return actor.logProbability();
    }

    /** Of the policy, () a row, in nats. */
    public Value entropy() {
        return actor.entropy();
    }

    /** Draws actions. */
    public Policy acting() {
        return actor.acting();
    }

    /** Takes the most probable actions. */
    public Policy best() {
        return actor.best();
    }
}
