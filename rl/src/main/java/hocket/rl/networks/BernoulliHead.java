package hocket.rl.networks;

import hocket.programs.Graph;
import hocket.programs.Value;
import hocket.programs.layers.Distributions.Bernoulli;
import hocket.rl.actors.ActionSelection;
import hocket.rl.spaces.MultiBinary;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Numbers 0 or 1, each by a logit, independent of each other given the observation.
 *
 * @param actions the action space
 */
record BernoulliHead(MultiBinary actions) implements PolicyHead {
    @Override
    public int outputs() {
        return actions.n();
    }

    @Override
    public Choice of(Graph graph, Value outputs, @Nullable Value mask) {
        Bernoulli policy = new Bernoulli(outputs);
        return new Choice(policy, policy.entropy(), List.of(outputs));
    }

    @Override
    public ActionSelection drawn() {
        return ActionSelection.sampledBits(actions.n());
    }

    @Override
    public ActionSelection best() {
        return ActionSelection.likelyBits(actions.n());
    }
}
