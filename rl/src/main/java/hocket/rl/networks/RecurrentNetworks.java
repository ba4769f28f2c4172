package hocket.rl.networks;

import static hocket.programs.Operators.concat;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.negate;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.shift;
import static hocket.programs.Operators.slice;

import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.layers.Distributions.Distribution;
import hocket.programs.layers.Scan;
import hocket.rl.actors.Policy;
import hocket.rl.networks.PolicyHead.Choice;
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
    /** The input of a network: of one step, or with an axis T before all but the state. */
    private record Seen(
            Value observation,
            Value start,
            Value state,
            @Nullable Value mask) {}

    /** The output of a network: the numbers of its last layer, and the next state. */
    private record Output<T>(T output, Value state) {}

    private final NetworkBody body;
    private final NetworkBody critics;
    private final Memory memory;

    private RecurrentNetworks(NetworkBody body, NetworkBody critics, Memory memory) {
        this.body = body;
        this.critics = critics;
        this.memory = memory;
    }

    static ActorCritic of(
            NetworkBody body, NetworkBody critics, Space actions, boolean isMasked, Memory memory, int steps) {
        return new RecurrentNetworks(body, critics, memory).of(actions, isMasked, steps);
    }

    private ActorCritic of(Space actions, boolean isMasked, int steps) {
        PolicyHead head = PolicyHead.of(actions);
        Graph graph = new Graph();
        Network<Seen, Output<Choice>> actor = graph.module("actor", seen -> {
            Output<Value> made = output(body, seen, head.outputs(), Actor.GAIN);
            return new Output<>(head.of(graph, made.output(), seen.mask()), made.state());
        });
        Network<Seen, Output<Value>> critic = graph.module("critic", seen -> {
            Output<Value> made = output(critics, seen, 1, 1);
            Shape of = made.output().shape();
            return new Output<>(
                    of.rank() > 1 ? reshape(made.output(), of.get(0)) : reshape(made.output()), made.state());
        });
        Shape observation = body.observations().shape();
        Value state = graph.input(Policy.STATE, memory.stateShape().prepend(2));
        Value ofActor = graph.name("actor_state", part(state, 0));
        Value ofCritic = graph.name("critic_state", part(state, 1));

        Value now = graph.input(Policy.OBSERVATION, observation);
        Value start = graph.input(Policy.START, Shape.of());
        Value mask = isMasked ? graph.input(Policy.MASK, Shape.of(actions.maskWidth())) : null;
        Output<Choice> step = actor.apply(new Seen(now, start, ofActor, mask));
        Output<Value> value = critic.apply(new Seen(now, start, ofCritic, null));
        Value next = concat(0, stacked(step.state()), stacked(value.state()));
        Distribution policy = step.output().distribution();
        Value drawn = policy.sample(policy.noise("noise"));
        Program collect =
                Program.compile("collect", Mode.EVAL, drawn, value.output(), next, policy.logProbability(drawn));

        List<Value> parameters = new ArrayList<>(step.output().parameters());
        // Nothing reads the critic's state where nothing is learnt, so its network does not run.
        parameters.add(concat(0, stacked(step.state()), stacked(before(ofCritic, start))));
        Program act = Program.compile("act", Mode.EVAL, parameters.toArray(Value[]::new));

        Value observations = graph.input("observations", observation.prepend(steps));
        Value starts = graph.input("starts", Shape.of(steps));
        Value taken = graph.input("actions", actions.actionShape().prepend(steps), actions.type());
        Value masks = isMasked ? graph.input("masks", Shape.of(steps, actions.maskWidth())) : null;
        Choice choices =
                actor.apply(new Seen(observations, starts, ofActor, masks)).output();
        Value values =
                critic.apply(new Seen(observations, starts, ofCritic, null)).output();
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
    private Output<Value> output(NetworkBody of, Seen seen, int outputs, double gain) {
        boolean isSequence = seen.start().shape().rank() == 1;
        Memory.Step reached = isSequence ? sequence(of, seen) : step(of, seen);
        return new Output<>(of.mlp().body(reached.features(), outputs, gain), reached.state());
    }

    /** A step, with a state of zeros where an episode starts. */
    private Memory.Step step(NetworkBody of, Seen seen) {
        return memory.step(of.features(seen.observation()), before(seen.state(), seen.start()));
    }

    private static Value before(Value state, Value start) {
        return multiply(state, shift(negate(start), 1));
    }

    private Memory.Step sequence(NetworkBody of, Seen seen) {
        Scan.Steps steps =
                Scan.over(List.of(seen.observation(), seen.start()), List.of(seen.state()), (each, before) -> {
                    Memory.Step next = step(of, new Seen(each.get(0), each.get(1), before.get(0), null));
                    return new Scan.Next(List.of(next.state()), List.of(next.features()));
                });
        return new Memory.Step(steps.outputs().get(0), steps.state().get(0));
    }

    private Value part(Value state, int index) {
        return reshape(slice(state, 0, index, index + 1), memory.stateShape().extents());
    }

    private Value stacked(Value state) {
        return reshape(state, memory.stateShape().prepend(1).extents());
    }
}
