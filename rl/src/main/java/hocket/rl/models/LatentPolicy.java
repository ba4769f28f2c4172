package hocket.rl.models;

import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.rl.actors.Policy;
import hocket.rl.networks.RecurrentBody;
import hocket.schedulers.settings.Networks;
import hocket.scopes.Shape;
import java.util.Arrays;

/**
 * The policies of an actor that reads the states of a world model. Their memory is that of the model, and knows the action that the
 * program has chosen.
 *
 * @param acting samples latents and actions
 * @param best takes the most probable ones
 */
public record LatentPolicy(Policy acting, Policy best) {
    /**
     * Makes both.
     *
     * @param actor from features to the outputs of a distribution of actions
     * @param before the input {@code state}, the memory before a step
     */
    public static LatentPolicy of(WorldModel model, Network<Value, Value> actor, Value before) {
        Graph graph = before.graph();
        LatentActions actions = model.actions();
        LatentDynamics dynamics = model.dynamics();
        Value observation = graph.input(Policy.OBSERVATION, model.observations().shape());
        Value start = graph.input(Policy.START, Shape.of());
        Value memory = RecurrentBody.before(before, start);
        Value logits = model.posterior(memory, observation);

        Value sampled = dynamics.sample(logits, dynamics.noise("seen"));
        Value outputs = actor.apply(LatentDynamics.features(memory, sampled));
        Value drawn = actions.sample(outputs, actions.noise(graph, "action"));
        Value likely = dynamics.mode(logits);
        Value first = actions.mode(actor.apply(LatentDynamics.features(memory, likely)));
        return new LatentPolicy(
                policy("act", actions, drawn, dynamics.next(memory, sampled, actions.read(drawn))),
                policy("best", actions, first, dynamics.next(memory, likely, actions.read(first))));
    }

    /** Returns the programs of a graph: others, and those of both. */
    public Networks programs(Graph graph, Program... others) {
        Program[] all = Arrays.copyOf(others, others.length + 2);
        all[others.length] = acting.program();
        all[others.length + 1] = best.program();
        return Networks.of(graph, all);
    }

    private static Policy policy(String name, LatentActions actions, Value action, Value next) {
        Program program = Program.compile(name, Mode.EVAL, actions.given(action), next);
        return new Policy(program, actions.selection(), actions.transform());
    }
}
