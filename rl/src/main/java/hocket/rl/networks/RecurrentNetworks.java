package hocket.rl.networks;

import static hocket.programs.Operators.concat;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.slice;

import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.layers.Distributions.Distribution;
import hocket.rl.actors.Policy;
import hocket.rl.networks.PolicyHead.Choice;
import hocket.rl.networks.RecurrentBody.Output;
import hocket.rl.networks.RecurrentBody.Seen;
import hocket.rl.spaces.Space;
import hocket.scopes.Shape;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A policy and a critic with memories. Each network is applied twice: to one step, whose state comes from the step before,
 * and to the steps of a rollout, one after the other from the state before the first. Both memories' states are one input
 * {@code state} (2, …): the actor's, then the critic's.
 */
final class RecurrentNetworks {
    /** The input of the policy; the mask of a sequence has an axis T before the others. */
    private record Choosing(Seen seen, @Nullable Value mask) {}

    private RecurrentNetworks() {}

    static ActorCritic of(
            NetworkBody body, NetworkBody critics, Space actions, boolean isMasked, Memory memory, int steps) {
        PolicyHead head = PolicyHead.of(actions);
        Graph graph = new Graph();
        Network<Choosing, Output<Choice>> actor = graph.module("actor", choosing -> {
            Output<Value> made = output(new RecurrentBody(body, memory), choosing.seen(), head.outputs(), Actor.GAIN);
            return new Output<>(head.of(graph, made.output(), choosing.mask()), made.state());
        });
        Network<Seen, Output<Value>> critic = graph.module("critic", seen -> {
            Output<Value> made = output(new RecurrentBody(critics, memory), seen, 1, 1);
            Shape of = made.output().shape();
            return new Output<>(
                    of.rank() > 1 ? reshape(made.output(), of.get(0)) : reshape(made.output()), made.state());
        });
        Shape observation = body.observations().shape();
        Value state = graph.input(Policy.STATE, memory.stateShape().prepend(2));
        Value ofActor = graph.name("actor_state", part(state, 0, memory));
        Value ofCritic = graph.name("critic_state", part(state, 1, memory));

        Value now = graph.input(Policy.OBSERVATION, observation);
        Value start = graph.input(Policy.START, Shape.of());
        Value mask = isMasked ? graph.input(Policy.MASK, Shape.of(actions.maskWidth())) : null;
        Output<Choice> step = actor.apply(new Choosing(new Seen(now, start, ofActor), mask));
        Output<Value> value = critic.apply(new Seen(now, start, ofCritic));
        Value next = concat(0, stacked(step.state(), memory), stacked(value.state(), memory));
        Distribution policy = step.output().distribution();
        Value drawn = policy.sample(policy.noise("noise"));
        Program collect =
                Program.compile("collect", Mode.EVAL, drawn, value.output(), next, policy.logProbability(drawn));

        List<Value> parameters = new ArrayList<>(step.output().parameters());
        // Nothing reads the critic's state where nothing is learnt, so its network does not run.
        parameters.add(
                concat(0, stacked(step.state(), memory), stacked(RecurrentBody.before(ofCritic, start), memory)));
        Program act = Program.compile("act", Mode.EVAL, parameters.toArray(Value[]::new));

        Value observations = graph.input("observations", observation.prepend(steps));
        Value starts = graph.input("starts", Shape.of(steps));
        Value taken = graph.input("actions", actions.actionShape().prepend(steps), actions.type());
        Value masks = isMasked ? graph.input("masks", Shape.of(steps, actions.maskWidth())) : null;
        Choice choices = actor.apply(new Choosing(new Seen(observations, starts, ofActor), masks))
                .output();
        Value values = critic.apply(new Seen(observations, starts, ofCritic)).output();
        Actor all = new Actor(
                graph,
                observations,
                taken,
                choices.distribution(),
                choices.distribution().logProbability(taken),
                choices.entropy(),
                new Policy(act, head.drawn(), head.transform()),
                new Policy(act, head.best(), head.transform()));
        return new ActorCritic(all, values, collect);
    }

    /** Builds the layers, in the open scope, of one step or of all. */
    private static Output<Value> output(RecurrentBody layers, Seen seen, int outputs, double gain) {
        Memory.Step reached = layers.features(seen);
        return new Output<>(layers.body().mlp().body(reached.features(), outputs, gain), reached.state());
    }

    private static Value part(Value state, int index, Memory memory) {
        return reshape(slice(state, 0, index, index + 1), memory.stateShape().extents());
    }

    private static Value stacked(Value state, Memory memory) {
        return reshape(state, memory.stateShape().prepend(1).extents());
    }
}
