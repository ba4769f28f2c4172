package hocket.rl.models;

import static hocket.programs.Operators.concat;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.slice;
import static hocket.programs.Operators.stopGradient;

import hocket.programs.Graph;
import hocket.programs.Network;
import hocket.programs.Value;
import hocket.programs.layers.Scan;
import hocket.programs.layers.Scan.Steps;
import java.util.List;

/**
 * Rollouts of a policy in latent dynamics, H steps from each of T states. No gradient flows into them.
 *
 * @param features of the states, (H + 1, T, f), the first those that rollouts start from
 * @param memories that each step leads to, (H, T, units)
 * @param actions that were taken, (H, T, a)
 */
public record Imagination(Value features, Value memories, Value actions) {
    /**
     * Imagines rollouts.
     *
     * @param start T states
     * @param actor from features (…, f) to the outputs of a distribution of actions
     * @param horizon H
     */
    public static Imagination of(
            WorldModel model, LatentDynamics.Observed start, Network<Value, Value> actor, int horizon) {
        LatentDynamics dynamics = model.dynamics();
        LatentActions actions = model.actions();
        Graph graph = start.memory().graph();
        int states = start.memory().shape().get(0);
        Value latents = dynamics.noise("imagined", horizon, states);
        Value choices = actions.noise(graph, "chosen", horizon, states);
        Steps steps = Scan.over(
                List.of(latents, choices),
                List.of(stopGradient(start.memory()), stopGradient(start.latent())),
                (now, state) -> {
                    Value outputs = actor.apply(LatentDynamics.features(state.get(0), state.get(1)));
                    Value action = actions.sample(outputs, now.get(1));
                    Value memory = dynamics.next(state.get(0), state.get(1), actions.read(action));
                    Value latent = dynamics.sample(dynamics.prior(memory), now.get(0));
                    return new Scan.Next(List.of(memory, latent), List.of(memory, latent, action));
                });
        Value memories = stopGradient(steps.outputs().get(0));
        Value later =
                LatentDynamics.features(memories, stopGradient(steps.outputs().get(1)));
        Value first = stopGradient(start.features());
        int[] one = {1, states, first.shape().get(1)};
        return new Imagination(
                concat(0, reshape(first, one), later),
                memories,
                stopGradient(steps.outputs().get(2)));
    }

    /** Returns the features of the states that actions were taken in, (H, T, f). */
    public Value acting() {
        return slice(features, 0, 0, features.shape().get(0) - 1);
    }
}
