package hocket.schedulers.optimizers.transforms;

import hocket.schedulers.optimizers.kernels.ArraySums;
import hocket.schedulers.optimizers.kernels.Chunk;
import hocket.schedulers.settings.Setting;

/**
 * Scales all updates of the rule together by min(1, norm / (n + epsilon)), n being their Euclidean norm: with the usual
 * epsilon PyTorch's {@code clip_grad_norm_}, with 0 Optax's {@code clip_by_global_norm}. First in a chain it takes the
 * norm of the gradients that is measured anyway.
 *
 * @param norm the largest norm that is left as it is, above 0
 * @param epsilon added to the norm before it is divided by, at least 0
 */
public record ClipByGlobalNorm(
        @Setting(least = 1e-30, help = "the largest norm of the updates together")
        double norm,

        @Setting(usually = "1e-6", least = 0, help = "added to the norm in the division; 0 in Optax")
        double epsilon)
        implements Measuring, ClipByGlobalNormCopies {
    /** @throws IllegalArgumentException if a setting is out of its range, naming the setting and its range */
    public ClipByGlobalNorm {
        ClipByGlobalNormCopies.check(norm, epsilon);
    }

    /** The factor for updates of a given norm; NaN for NaN. */
    public double scale(double of) {
        return Math.min(1, norm / (of + epsilon));
    }

    @Override
    public Over over() {
        return Over.SELECTION;
    }

    @Override
    public void update(Chunk chunk) {
        ArraySums.scale(chunk.update(), chunk.length(), scale(Math.sqrt(chunk.sum(0))));
    }
}
