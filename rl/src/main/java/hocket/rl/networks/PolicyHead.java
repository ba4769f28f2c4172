package hocket.rl.networks;

import hocket.programs.Graph;
import hocket.programs.Value;
import hocket.programs.layers.Distributions.Distribution;
import hocket.rl.actors.ActionSelection;
import hocket.rl.actors.Policy.ActionTransform;
import hocket.rl.spaces.Box;
import hocket.rl.spaces.Discrete;
import hocket.rl.spaces.MultiBinary;
import hocket.rl.spaces.MultiDiscrete;
import hocket.rl.spaces.Space;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The distribution of a policy's actions over an action space, from the numbers of its network's last layer. */
interface PolicyHead {
    /**
     * A distribution over actions.
     *
     * @param distribution of the policy
     * @param entropy (…), in nats
     * @param parameters of the distribution, which selections of actions read
     */
    record Choice(Distribution distribution, Value entropy, List<Value> parameters) {}

    /** Returns the head for an action space. */
    static PolicyHead of(Space actions) {
        if (actions instanceof Discrete discrete) {
            return new CategoricalHead(discrete);
        } else if (actions instanceof MultiDiscrete several) {
            return new MultiCategoricalHead(several);
        } else if (actions instanceof MultiBinary bits) {
            return new BernoulliHead(bits);
        }
        return new GaussianHead((Box) actions);
    }

    /** The units of the last layer. */
    int outputs();

    /**
     * Builds the distribution in the open scope of the policy's network.
     *
     * @param outputs (…, n) of the last layer
     * @param mask (…, n) of the actions that are allowed; null for all. Heads without choices are given none
     */
    Choice of(Graph graph, Value outputs, @Nullable Value mask);

    /** Draws actions. */
    ActionSelection drawn();

    /** Takes the most probable actions. */
    ActionSelection best();

    /** The mapping of actions to the environment's. */
    default ActionTransform transform() {
        return ActionTransform.SAME;
    }
}
