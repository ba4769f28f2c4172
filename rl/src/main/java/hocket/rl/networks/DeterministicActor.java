package hocket.rl.networks;

import static hocket.programs.Operators.tanh;

import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.rl.actors.ActionSelection;
import hocket.rl.actors.Policy;
import hocket.rl.spaces.Box;
import hocket.rl.spaces.Space;
import hocket.scopes.Shape;

/** A policy without chance, for searches that do not descend a loss. */
public final class DeterministicActor {
    private DeterministicActor() {}

    /**
     * Makes the module {@code actor} of a graph: actions of a box are tanh of its outputs, scaled to the bounds; of others, the
     * largest output says which action is taken.
     *
     * @param body the layers of the network, but the last
     * @param actions the action space; a box must have finite bounds
     * @param isMasked whether it keeps to a mask of actions, by an input {@code mask}
     */
    public static Policy of(Graph graph, NetworkBody body, Space actions, boolean isMasked) {
        Value observation = graph.input(Policy.OBSERVATION, body.observations().shape());
        if (actions instanceof Box box) {
            Network<Value, Value> actor =
                    graph.module("actor", seen -> tanh(body.outputs(seen, box.width(), Actor.GAIN)));
            Program act = Program.compile("act", Mode.EVAL, actor.apply(observation));
            return new Policy(act, ActionSelection.deterministic(box.width()), Policy.ActionTransform.SCALED);
        }
        PolicyHead head = PolicyHead.of(actions);
        Value mask = isMasked ? graph.input(Policy.MASK, Shape.of(actions.maskWidth())) : null;
        Network<Value, PolicyHead.Choice> actor =
                graph.module("actor", seen -> head.of(graph, body.outputs(seen, head.outputs(), Actor.GAIN), mask));
        Value[] outputs = actor.apply(observation).parameters().toArray(Value[]::new);
        return new Policy(Program.compile("act", Mode.EVAL, outputs), head.best(), head.transform());
    }
}
