package hocket.rl.networks;

import hocket.programs.Graph;
import hocket.programs.Value;
import hocket.programs.layers.Distributions.Categorical;
import hocket.rl.actors.ActionSelection;
import hocket.rl.spaces.Discrete;
import java.util.List;

/**
 * One of n actions, by logits.
 *
 * @param actions the action space
 */
record CategoricalHead(Discrete actions) implements PolicyHead {
    @Override
    public int outputs() {
        return actions.n();
    }

    @Override
    public Choice of(Graph graph, Value outputs) {
        Categorical policy = new Categorical(outputs);
        return new Choice(policy, policy.entropy(), List.of(outputs));
    }

    @Override
    public ActionSelection drawn() {
        return ActionSelection.sampled(actions);
    }

    @Override
    public ActionSelection best() {
        return ActionSelection.greedy(actions);
    }
}
