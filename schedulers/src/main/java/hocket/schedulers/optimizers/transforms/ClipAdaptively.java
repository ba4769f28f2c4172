package hocket.schedulers.optimizers.transforms;

import hocket.schedulers.optimizers.kernels.ArraySums;
import hocket.schedulers.optimizers.kernels.Chunk;
import hocket.schedulers.settings.Setting;

/**
 * Adaptive gradient clipping (Brock et al. 2021, High-Performance Large-Scale Image Recognition Without Normalization,
 * equation 3), as Optax's {@code adaptive_grad_clip}: the update of each unit, such as the weights of one neuron, has at
 * most the norm share · max(norm of the unit's weights, least).
 *
 * @param share the largest norm as a share of the norm of the weights, above 0
 * @param least the norm that smaller weights are taken to have, at least 0
 */
public record ClipAdaptively(
        @Setting(least = 1e-30, help = "the largest norm as a share of the norm of the weights")
        double share,

        @Setting(usually = "1e-3", least = 0, help = "smallest weight norm that counts")
        double least)
        implements Measuring, ClipAdaptivelyCopies {
    /** @throws IllegalArgumentException if a setting is out of its range, naming the setting and its range */
    public ClipAdaptively {
        ClipAdaptivelyCopies.check(share, least);
    }

    @Override
    public Over over() {
        return Over.UNIT;
    }

    @Override
    public int sums() {
        return 2;
    }

    @Override
    public void measure(Chunk chunk) {
        chunk.add(0, ArraySums.ofSquares(chunk.update(), chunk.length()));
        chunk.add(1, ArraySums.ofSquares(chunk.weight(), chunk.length()));
    }

    @Override
    public void update(Chunk chunk) {
        double norm = Math.sqrt(chunk.sum(0));
        double most = share * Math.max(Math.sqrt(chunk.sum(1)), least);
        if (!(norm < most)) {
            ArraySums.scale(chunk.update(), chunk.length(), most / Math.max(norm, 1e-6));
        }
    }
}
