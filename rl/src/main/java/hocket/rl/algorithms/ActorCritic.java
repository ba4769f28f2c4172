package hocket.rl.algorithms;

import static hocket.programs.Operators.reshape;

import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.rl.actors.Mlp;
import hocket.rl.actors.Policy;
import hocket.rl.envs.Space;

/**
 * A policy and a critic beside it, each a network of its own over observations: what policy gradients have in common.
 *
 * @param actor the policy
 * @param value that the critic gives
 * @param judge gives value and log-probability
 */
record ActorCritic(Actor actor, Value value, Program judge) {
    /** @throws IllegalArgumentException if the actions are neither discrete nor a box */
    static ActorCritic of(Space observations, Space actions, Mlp mlp) {
        Actor actor = Actor.of(observations, actions, mlp);
        Value value = reshape(mlp.network(actor.graph(), "critic", 1, 1).apply(actor.observation()));
        return new ActorCritic(actor, value, Program.compile("judge", Mode.EVAL, value, actor.logProbability()));
    }

    Graph graph() {
        return actor.graph();
    }

    Value logProbability() {
        return actor.logProbability();
    }

    Value entropy() {
        return actor.entropy();
    }

    Policy acting() {
        return actor.acting();
    }

    Policy best() {
        return actor.best();
    }
}
