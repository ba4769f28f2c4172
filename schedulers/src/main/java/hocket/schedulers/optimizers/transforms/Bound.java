package hocket.schedulers.optimizers.transforms;

import hocket.schedulers.optimizers.GradientTransformation;
import hocket.schedulers.optimizers.kernels.Chunk;
import hocket.schedulers.settings.Setting;

/**
 * Keeps weights within ±bound, after an optimizer: w ← clip(w − u, −bound, bound). The weight clipping of the first
 * Wasserstein GAN (Arjovsky et al. 2017, algorithm 1).
 *
 * @param bound largest magnitude of a weight, above 0
 */
public record Bound(
        @Setting(least = 1e-30, help = "largest magnitude of a weight")
        double bound) implements GradientTransformation, BoundCopies {
    /** @throws IllegalArgumentException if the bound is not finite and above 0 */
    public Bound {
        BoundCopies.check(bound);
    }

    @Override
    public void update(Chunk chunk) {
        double[] u = chunk.update();
        double[] w = chunk.weight();
        for (int i = 0; i < chunk.length(); i++) {
            double to = w[i] - u[i];
            u[i] = to > bound ? w[i] - bound : to < -bound ? w[i] + bound : u[i];
        }
    }
}
