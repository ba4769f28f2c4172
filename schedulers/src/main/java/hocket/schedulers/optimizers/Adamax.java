package hocket.schedulers.optimizers;

import hocket.schedulers.optimizers.kernels.Chunk;
import hocket.schedulers.optimizers.kernels.Powers;
import hocket.schedulers.optimizers.rates.Rate;
import hocket.schedulers.settings.Setting;
import java.util.List;

/**
 * Adamax (Kingma and Ba 2015, section 7.1), as PyTorch's and Optax's:
 *
 * <pre>
 * m ← beta1 · m + (1 − beta1) · g
 * u ← max(beta2 · u, |g| + epsilon)
 * w ← w − r · m/(1 − beta1ᵗ) / u
 * </pre>
 *
 * @param rate the learning rate
 * @param beta1 share of the mean that is kept, in [0, 1)
 * @param beta2 share of the mean square that is kept, in [0, 1)
 * @param epsilon added to the root, at least 0
 */
public record Adamax(
        @Setting(help = "learning rate") Rate rate,

        @Setting(usually = "0.9", least = 0, most = 0.9999999999, help = "share of the mean that is kept")
        double beta1,

        @Setting(usually = "0.999", least = 0, most = 0.9999999999, help = "share of the mean square that is kept")
        double beta2,

        @Setting(usually = "1e-8", least = 0, help = "added to the root")
        double epsilon)
        implements GradientTransformation, AdamaxCopies {
    /** @throws IllegalArgumentException if a setting is out of its range, naming the setting and its range */
    public Adamax {
        AdamaxCopies.check(beta1, beta2, epsilon);
    }

    @Override
    public List<Slot> slots() {
        return List.of(Slot.of("m"), Slot.of("u"));
    }

    @Override
    public void prepare(long count, double rate, double[] numbers) {
        numbers[0] = 1 - Powers.of(beta1, count);
    }

    @Override
    public void update(Chunk chunk) {
        double[] u = chunk.update();
        double[] m = chunk.slot(0);
        double[] most = chunk.slot(1);
        double mean = chunk.numbers()[0];
        for (int i = 0; i < chunk.length(); i++) {
            m[i] = beta1 * m[i] + (1 - beta1) * u[i];
            most[i] = Math.max(beta2 * most[i], Math.abs(u[i]) + epsilon);
            u[i] = most[i] == 0 ? 0 : chunk.rate() * m[i] / mean / most[i];
        }
    }
}
