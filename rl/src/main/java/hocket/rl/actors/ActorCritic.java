package hocket.rl.actors;

import static hocket.programs.Operators.reshape;

import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.rl.spaces.Space;

/**
 * A policy and a critic, two separate networks over observations, as policy-gradient algorithms use them.
 *
 * @param actor the policy, with parameters {@code actor/…}
 * @param value the critic's value of each observation, (), by the module {@code critic} with parameters
 *     {@code critic/…}
 * @param evaluator an EVAL program of {@code observation} and {@code action} that gives value and log-probability, for
 *     a {@link hocket.rl.replay.Rollout}
 */
public record ActorCritic(Actor actor, Value value, Program evaluator) {
    /**
     * Makes both in a new graph; the critic has layers like the actor's.
     *
     * @throws IllegalArgumentException if the actions are neither discrete nor a box
     */
    public static ActorCritic of(Space observations, Space actions, Mlp mlp) {
        Actor actor = Actor.of(observations, actions, mlp);
        Value value = reshape(mlp.network(actor.graph(), "critic", 1, 1).apply(actor.observation()));
        return new ActorCritic(actor, value, Program.compile("judge", Mode.EVAL, value, actor.logProbability()));
    }

    /** The graph of both. */
    public Graph graph() {
        return actor.graph();
    }

    /** The log-probability of each row's action under the policy, (), in nats. */
    public Value logProbability() {
        return actor.logProbability();
    }

    /** The entropy of the policy in each row, (), in nats. */
    public Value entropy() {
        return actor.entropy();
    }

    /** The policy that draws actions. */
    public Policy acting() {
        return actor.acting();
    }

    /** The policy that takes the most probable actions. */
    public Policy best() {
        return actor.best();
    }
}
