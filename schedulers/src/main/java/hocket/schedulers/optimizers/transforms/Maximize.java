package hocket.schedulers.optimizers.transforms;

import hocket.schedulers.optimizers.GradientTransformation;
import hocket.schedulers.optimizers.kernels.ArraySums;
import hocket.schedulers.optimizers.kernels.Chunk;

/** Negates the gradient, for ascent, as PyTorch's {@code maximize}. First in a chain, or right after clipping. */
public record Maximize() implements GradientTransformation {
    @Override
    public void update(Chunk chunk) {
        ArraySums.scale(chunk.update(), chunk.length(), -1);
    }
}
