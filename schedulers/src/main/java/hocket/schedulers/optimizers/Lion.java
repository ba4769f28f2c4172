package hocket.schedulers.optimizers;

import hocket.schedulers.optimizers.kernels.Chunk;
import hocket.schedulers.optimizers.rates.Rate;
import hocket.schedulers.optimizers.transforms.Decay;
import hocket.schedulers.settings.Setting;
import java.util.List;

/**
 * Lion (Chen et al. 2023, Symbolic Discovery of Optimization Algorithms), as Optax's {@code lion}; its decay is
 * {@link Decay} after it:
 *
 * <pre>
 * w ← w − r · sign(beta1 · m + (1 − beta1) · g)
 * m ← beta2 · m + (1 − beta2) · g
 * </pre>
 *
 * @param rate the learning rate
 * @param beta1 share of the mean in the step, in [0, 1)
 * @param beta2 share of the mean that is kept, in [0, 1)
 */
public record Lion(
        @Setting(help = "learning rate") Rate rate,

        @Setting(usually = "0.9", least = 0, most = 0.9999999999, help = "share of the mean in the step")
        double beta1,

        @Setting(usually = "0.99", least = 0, most = 0.9999999999, help = "share of the mean that is kept")
        double beta2)
        implements GradientTransformation, LionCopies {
    /** @throws IllegalArgumentException if a setting is out of its range, naming the setting and its range */
    public Lion {
        LionCopies.check(beta1, beta2);
    }

    @Override
    public List<Slot> slots() {
        return List.of(Slot.of("m"));
    }

    @Override
    public void update(Chunk chunk) {
        double[] u = chunk.update();
        double[] m = chunk.slot(0);
        for (int i = 0; i < chunk.length(); i++) {
            double step = beta1 * m[i] + (1 - beta1) * u[i];
            m[i] = beta2 * m[i] + (1 - beta2) * u[i];
            u[i] = chunk.rate() * Math.signum(step);
        }
    }
}
