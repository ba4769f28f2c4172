package hocket.schedulers.optimizers.transforms;

import hocket.schedulers.optimizers.kernels.ArraySums;
import hocket.schedulers.optimizers.kernels.Chunk;
import hocket.schedulers.settings.Setting;

/**
 * Divides the update of each array by max(1, root mean square / rms), as Optax's {@code clip_by_block_rms}.
 *
 * @param rms the largest root mean square of an array, above 0
 */
public record ClipByBlockRms(
        @Setting(least = 1e-30, help = "the largest root mean square of an array")
        double rms) implements Measuring, ClipByBlockRmsCopies {
    /** @throws IllegalArgumentException if a setting is out of its range, naming the setting and its range */
    public ClipByBlockRms {
        ClipByBlockRmsCopies.check(rms);
    }

    @Override
    public Over over() {
        return Over.ARRAY;
    }

    @Override
    public void update(Chunk chunk) {
        ArraySums.scale(
                chunk.update(), chunk.length(), 1 / Math.max(1, Math.sqrt(chunk.sum(0) / chunk.elements()) / rms));
    }
}
