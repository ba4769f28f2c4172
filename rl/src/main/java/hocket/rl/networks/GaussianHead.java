package hocket.rl.networks;

import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.spread;

import hocket.programs.Graph;
import hocket.programs.Value;
import hocket.programs.layers.Distributions.DiagonalGaussian;
import hocket.rl.actors.ActionSelection;
import hocket.rl.actors.Policy.ActionTransform;
import hocket.rl.spaces.Box;
import hocket.scopes.Declaration;
import hocket.scopes.Declaration.Fan;
import hocket.scopes.Declaration.Kind;
import hocket.scopes.Initialiser;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Normal distributions of the numbers of an action, with means by the network and parameters {@code log_std} (a), which do
 * not depend on the observation.
 *
 * @param actions the action space
 */
record GaussianHead(Box actions) implements PolicyHead {
    @Override
    public int outputs() {
        return actions.width();
    }

    @Override
    public Choice of(Graph graph, Value outputs, @Nullable Value mask) {
        Value logStd = graph.parameter(
                "log_std",
                (path, type) -> new Declaration(
                        path,
                        actions.actionShape(),
                        type,
                        Initialiser.zeros(),
                        new Fan(outputs(), outputs()),
                        Kind.WEIGHT));
        boolean isSequence = outputs.shape().rank() > 1;
        Value ofEach = isSequence
                ? spread(reshape(logStd, 1, outputs()), outputs.shape().extents())
                : logStd;
        DiagonalGaussian policy = new DiagonalGaussian(outputs, ofEach);
        return new Choice(policy, policy.entropy(), List.of(policy.mean(), policy.logStd()));
    }

    @Override
    public ActionSelection drawn() {
        return ActionSelection.gaussian(actions);
    }

    @Override
    public ActionSelection best() {
        return ActionSelection.deterministic(outputs());
    }

    @Override
    public ActionTransform transform() {
        return ActionTransform.CLIPPED;
    }
}
