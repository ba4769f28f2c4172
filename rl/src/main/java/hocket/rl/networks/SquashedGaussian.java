package hocket.rl.networks;

import static hocket.programs.Operators.clip;
import static hocket.programs.Operators.slice;
import static hocket.programs.Operators.tanh;

import hocket.programs.Value;
import hocket.programs.layers.Distributions.DiagonalGaussian;
import hocket.programs.layers.Distributions.TanhGaussian;

/**
 * A policy over a box: a Gaussian that tanh squashes into -1..1, with mean and deviation of a network, as SAC of
 * Stable-Baselines3.
 */
public record SquashedGaussian(TanhGaussian distribution) {
    private static final double LEAST_LOG_DEVIATION = -20;
    private static final double LARGEST_LOG_DEVIATION = 2;
    private static final double EPSILON = 1e-6;

    /**
     * An action and its log-density.
     *
     * @param action (width), through which gradients flow
     * @param logProbability (), in nats
     */
    public record Drawn(Value action, Value logProbability) {}

    /**
     * Builds the network in the open scope.
     *
     * @param body the layers but the last
     * @param width components of an action
     */
    public static SquashedGaussian of(NetworkBody body, Value observation, int width) {
        Value both = body.outputs(observation, 2 * width, 1);
        Value logStd = clip(slice(both, 0, width, 2 * width), LEAST_LOG_DEVIATION, LARGEST_LOG_DEVIATION);
        return new SquashedGaussian(new TanhGaussian(new DiagonalGaussian(slice(both, 0, 0, width), logStd), EPSILON));
    }

    /** Draws an action from noise of this name. */
    public Drawn draw(String noise) {
        Value before = distribution.normal().sample(distribution.noise(noise));
        return new Drawn(tanh(before), distribution.logProbabilityBefore(before));
    }

    /** Returns the squashed mode of the Gaussian, (width). */
    public Value mode() {
        return distribution.mode();
    }
}
