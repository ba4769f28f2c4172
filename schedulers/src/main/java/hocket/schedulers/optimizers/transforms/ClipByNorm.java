package hocket.schedulers.optimizers.transforms;

import hocket.schedulers.optimizers.kernels.ArraySums;
import hocket.schedulers.optimizers.kernels.Chunk;
import hocket.schedulers.settings.Setting;

/**
 * Scales the update of each array by min(1, norm / (n + epsilon)), n being its Euclidean norm: PyTorch's
 * {@code clip_grad_norm_} of each weight by itself.
 *
 * @param norm the largest norm of an array, above 0
 * @param epsilon added to the norm before it is divided by, at least 0
 */
public record ClipByNorm(
        @Setting(least = 1e-30, help = "the largest norm of an array")
        double norm,

        @Setting(usually = "1e-6", least = 0, help = "added to the norm in the division")
        double epsilon)
        implements Measuring, ClipByNormCopies {
    /** @throws IllegalArgumentException if a setting is out of its range, naming the setting and its range */
    public ClipByNorm {
        ClipByNormCopies.check(norm, epsilon);
    }

    @Override
    public Over over() {
        return Over.ARRAY;
    }

    @Override
    public void update(Chunk chunk) {
        ArraySums.scale(chunk.update(), chunk.length(), Math.min(1, norm / (Math.sqrt(chunk.sum(0)) + epsilon)));
    }
}
