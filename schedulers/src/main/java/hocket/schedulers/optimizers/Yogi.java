package hocket.schedulers.optimizers;

import hocket.schedulers.optimizers.kernels.Chunk;
import hocket.schedulers.optimizers.kernels.Powers;
import hocket.schedulers.optimizers.rates.Rate;
import hocket.schedulers.settings.Setting;
import java.util.List;

/**
 * Yogi (Zaheer et al. 2018, Adaptive Methods for Nonconvex Optimization), as Optax's and torch-optimizer's:
 *
 * <pre>
 * m ← beta1 · m + (1 − beta1) · g
 * v ← v − (1 − beta2) · sign(v − g²) · g²
 * w ← w − r · m/(1 − beta1ᵗ) / (√(v/(1 − beta2ᵗ)) + epsilon)
 * </pre>
 *
 * @param rate the learning rate
 * @param beta1 share of the mean that is kept, in [0, 1)
 * @param beta2 share of the mean square that is kept, in [0, 1)
 * @param epsilon added to the root, at least 0
 * @param initial what m and v are at first, at least 0
 */
public record Yogi(
        @Setting(help = "learning rate") Rate rate,

        @Setting(usually = "0.9", least = 0, most = 0.9999999999, help = "share of the mean that is kept")
        double beta1,

        @Setting(usually = "0.999", least = 0, most = 0.9999999999, help = "share of the mean square that is kept")
        double beta2,

        @Setting(usually = "1e-3", least = 0, help = "added to the root")
        double epsilon,

        @Setting(usually = "1e-6", least = 0, help = "initial value of both averages")
        double initial)
        implements GradientTransformation, YogiCopies {
    /** @throws IllegalArgumentException if a setting is out of its range, naming the setting and its range */
    public Yogi {
        YogiCopies.check(beta1, beta2, epsilon, initial);
    }

    @Override
    public List<Slot> slots() {
        return List.of(new Slot("m", initial), new Slot("v", initial));
    }

    @Override
    public void prepare(long count, double rate, double[] numbers) {
        numbers[0] = 1 - Powers.of(beta1, count);
        numbers[1] = 1 - Powers.of(beta2, count);
    }

    @Override
    public void update(Chunk chunk) {
        double[] u = chunk.update();
        double[] m = chunk.slot(0);
        double[] v = chunk.slot(1);
        double[] n = chunk.numbers();
        for (int i = 0; i < chunk.length(); i++) {
            double square = u[i] * u[i];
            m[i] = beta1 * m[i] + (1 - beta1) * u[i];
            v[i] -= (1 - beta2) * Math.signum(v[i] - square) * square;
            u[i] = chunk.rate() * (m[i] / n[0]) / (Math.sqrt(v[i] / n[1]) + epsilon);
        }
    }
}
