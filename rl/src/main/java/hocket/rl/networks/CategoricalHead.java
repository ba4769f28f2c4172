package hocket.rl.networks;

import hocket.programs.Graph;
import hocket.programs.Value;
import hocket.programs.layers.Distributions.Categorical;
import hocket.rl.actors.ActionSelection;
import hocket.rl.spaces.Discrete;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
    public Choice of(Graph graph, Value outputs, @Nullable Value mask) {
        Categorical policy = mask == null ? new Categorical(outputs) : Categorical.masked(outputs, mask);
        return new Choice(policy, policy.entropy(), List.of(policy.logits()));
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
