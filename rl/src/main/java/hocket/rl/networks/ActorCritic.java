package hocket.rl.networks;

import static hocket.programs.Operators.reshape;

import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.rl.actors.Policy;
import hocket.rl.spaces.Space;
import hocket.schedulers.settings.Networks;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A policy and a critic over observations, as policy-gradient algorithms use them: two networks, separate unless they share
 * layers.
 *
 * @param actor the policy, with parameters {@code actor/…}
 * @param value the critic's value of each observation, () or with a memory (T), by the module {@code critic} with
 *     parameters {@code critic/…}
 * @param evaluator an EVAL program: of {@code observation} and {@code action} that gives value and log-probability, for a
 *     {@link hocket.rl.replay.Rollout}; with a memory, the one that a {@link hocket.rl.replay.RecurrentRollout} acts by
 */
public record ActorCritic(Actor actor, Value value, Program evaluator) {
    /**
     * Makes both in a new graph; the critic has layers like the actor's.
     *
     * @param body the layers of each network, but the last
     * @throws IllegalArgumentException if the encoder does not fit the observations
     */
    public static ActorCritic of(NetworkBody body, Space actions) {
        return of(body, actions, false);
    }

    /**
     * Makes both as {@link #of(NetworkBody, Space)}.
     *
     * @param isMasked whether the policy keeps to a {@code mask} of actions
     */
    public static ActorCritic of(NetworkBody body, Space actions, boolean isMasked) {
        return of(body, body, actions, isMasked);
    }

    private static ActorCritic of(NetworkBody body, NetworkBody critics, Space actions, boolean isMasked) {
        Actor actor = Actor.of(body, actions, isMasked);
        return of(actor, actor.observation(), seen -> critics.outputs(seen, 1, 1));
    }

    /**
     * Adds a critic to a policy.
     *
     * @param read what the critic reads, a value of the policy's graph
     * @param layers of the critic, from that to (1)
     */
    private static ActorCritic of(Actor actor, Value read, UnaryOperator<Value> layers) {
        Network<Value, Value> critic = actor.graph().module("critic", layers::apply);
        Value value = reshape(critic.apply(read));
        return new ActorCritic(actor, value, Program.compile("evaluate", Mode.EVAL, value, actor.logProbability()));
    }

    /**
     * Makes a critic that reads the units of the policy's last hidden layer, so that {@code critic/…} are the parameters of one
     * layer. The others are the policy's, {@code actor/…}, and gradients of both losses reach them.
     *
     * @param body the layers of the policy but the last
     * @param isMasked as of an {@link Actor}
     * @throws IllegalArgumentException as {@link #of(NetworkBody, Space)}
     */
    public static ActorCritic sharing(NetworkBody body, Space actions, boolean isMasked) {
        List<Value> features = new ArrayList<>();
        Actor actor = Actor.of(body, actions, isMasked, features::add);
        return of(actor, features.get(0), read -> body.last(read, 1, 1));
    }

    /** Makes both with a memory each, as below, of the same layers. */
    public static ActorCritic of(NetworkBody body, Space actions, boolean isMasked, Memory memory, int steps) {
        return of(body, body, actions, isMasked, memory, steps);
    }

    /**
     * Makes both with a memory each, unless there is none: of one step, to act, and of all T steps of a rollout, to learn.
     *
     * @param body the layers of the policy but the last
     * @param critics those of the critic, which may read more of an observation
     * @param isMasked as of an {@link Actor}
     * @param memory of each network, between its encoder and its dense layers
     * @param steps T of a rollout
     * @throws IllegalArgumentException as {@link #of(NetworkBody, Space)}
     */
    public static ActorCritic of(
            NetworkBody body, NetworkBody critics, Space actions, boolean isMasked, Memory memory, int steps) {
        return memory.remembers()
                ? RecurrentNetworks.of(body, critics, actions, isMasked, memory, steps)
                : of(body, critics, actions, isMasked);
    }

    /** Returns the input of numbers of each row, of the shape of its log-probabilities: {@code advantage}, say. */
    public Value input(String name) {
        return graph().input(name, logProbability().shape());
    }

    /**
     * Returns the graph's programs, for a setup.
     *
     * @param others programs beside those that act and evaluate
     */
    public Networks programs(Program... others) {
        List<Program> all = new ArrayList<>(List.of(others));
        all.add(acting().program());
        all.add(evaluator);
        return Networks.of(graph(), all.toArray(Program[]::new));
    }

    /** The graph of both. */
    public Graph graph() {
        return actor.graph();
    }

    /** The log-probability of each row's action under the policy, () or (T), in nats. */
    public Value logProbability() {
        return actor.logProbability();
    }

    /** The entropy of the policy in each row, () or (T), in nats. */
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
