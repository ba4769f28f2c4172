package hocket.rl.networks;

import hocket.programs.Graph;
import hocket.programs.Value;
import hocket.programs.layers.Distributions.MultiCategorical;
import hocket.rl.actors.ActionSelection;
import hocket.rl.spaces.MultiDiscrete;
import java.util.List;

/**
 * Several choices at once, each by logits, independent of each other given the observation.
 *
 * @param actions the action space
 */
record MultiCategoricalHead(MultiDiscrete actions) implements PolicyHead {
    @Override
    public int outputs() {
        return actions.counts().stream().mapToInt(Integer::intValue).sum();
    }

    @Override
    public Choice of(Graph graph, Value outputs) {
        MultiCategorical policy = MultiCategorical.of(outputs, actions.counts());
        return new Choice(policy, policy.entropy(), List.of(outputs));
    }

    @Override
    public ActionSelection drawn() {
        return ActionSelection.sampled(actions.counts());
    }

    @Override
    public ActionSelection best() {
        return ActionSelection.greedy(actions.counts());
    }
}
