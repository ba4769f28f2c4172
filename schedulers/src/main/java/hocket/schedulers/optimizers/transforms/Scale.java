package hocket.schedulers.optimizers.transforms;

import hocket.schedulers.optimizers.GradientTransformation;
import hocket.schedulers.optimizers.kernels.ArraySums;
import hocket.schedulers.optimizers.kernels.Chunk;
import hocket.schedulers.optimizers.rates.Rate;
import hocket.schedulers.settings.Setting;

/**
 * Multiplies by a rate, for transformations without one, or as a separate rate after others.
 *
 * @param rate the learning rate
 */
public record Scale(@Setting(help = "learning rate") Rate rate) implements GradientTransformation, ScaleCopies {
    @Override
    public void update(Chunk chunk) {
        double[] u = chunk.update();
        ArraySums.scale(u, chunk.length(), chunk.rate());
    }
}
