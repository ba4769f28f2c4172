package hocket.schedulers.optimizers.transforms;

import hocket.schedulers.optimizers.GradientTransformation;
import hocket.schedulers.optimizers.kernels.ArraySums;
import hocket.schedulers.optimizers.kernels.Chunk;

/** Ascends: turns the gradient round, as PyTorch's {@code maximize}. First in a chain, or right behind clipping. */
public record Maximize() implements GradientTransformation {
    @Override
    public void update(Chunk chunk) {
        ArraySums.scale(chunk.update(), chunk.length(), -1);
    }
}
