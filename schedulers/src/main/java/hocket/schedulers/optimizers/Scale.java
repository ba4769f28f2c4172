package hocket.schedulers.optimizers;

import hocket.schedulers.Setting;

/**
 * Multiplies by a rate: for links that have none, or a rate of its own behind others.
 *
 * @param rate the learning rate
 */
public record Scale(@Setting(help = "learning rate") Rate rate) implements Link, ScaleCopies {
    @Override
    public void update(Chunk chunk) {
        double[] u = chunk.update();
        Sums.scale(u, chunk.length(), chunk.rate());
    }
}
