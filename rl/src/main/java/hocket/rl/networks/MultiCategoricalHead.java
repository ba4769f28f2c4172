package hocket.rl.networks;

import hocket.programs.Graph;
import hocket.programs.Value;
import hocket.programs.layers.Distributions;
import hocket.programs.layers.Distributions.MultiCategorical;
import hocket.rl.actors.ActionSelection;
import hocket.rl.spaces.MultiDiscrete;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Several choices at once, each by logits, independent of each other given the observation.
 *
 * @param actions the action space
 */
record MultiCategoricalHead(MultiDiscrete actions) implements PolicyHead {
    @Override
    public int outputs() {
        return actions.maskWidth();
    }

    @Override
    public Choice of(Graph graph, Value outputs, @Nullable Value mask) {
        MultiCategorical policy = mask == null
                ? MultiCategorical.of(outputs, actions.counts())
                : MultiCategorical.masked(outputs, mask, actions.counts());
        Value logits = mask == null ? outputs : Distributions.maskedLogits(outputs, mask);
        return new Choice(policy, policy.entropy(), List.of(logits));
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
