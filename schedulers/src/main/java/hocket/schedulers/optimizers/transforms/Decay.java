package hocket.schedulers.optimizers.transforms;

import hocket.schedulers.optimizers.GradientTransformation;
import hocket.schedulers.optimizers.kernels.Chunk;
import hocket.schedulers.settings.Setting;
import hocket.scopes.Path;
import hocket.scopes.Selection;

/**
 * Weight decay. Before the rule it is an L2 penalty, g + decay · w; after it, it is decoupled: with the rate r of the
 * rule before it, w ← w · (1 − r · decay) in addition to the rule's step (Loshchilov and Hutter 2019, Decoupled Weight
 * Decay Regularization), as PyTorch's and Optax's {@code adamw}.
 *
 * @param decay factor of the weight, at least 0
 * @param over which weights, by a glob over their paths: {@code decay(1e-2).over("**}{@code /weight")} leaves biases
 *     alone
 */
public record Decay(
        @Setting(least = 0, help = "factor of the weight") double decay,

        @Setting(usually = "\"**\"", help = "which weights of the rule, by a glob over their paths")
        String over)
        implements GradientTransformation, DecayCopies {
    /** @throws IllegalArgumentException if the factor is negative or not finite, or the glob is none */
    public Decay {
        DecayCopies.check(decay);
        Selection.of(over);
    }

    @Override
    public boolean touches(Path weight) {
        return Selection.of(over).matches(weight);
    }

    @Override
    public void update(Chunk chunk) {
        double[] u = chunk.update();
        double[] w = chunk.weight();
        double factor = chunk.isRated() ? chunk.rate() * decay : decay;
        for (int i = 0; i < chunk.length(); i++) {
            u[i] += factor * w[i];
        }
    }
}
