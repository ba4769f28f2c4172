package hocket.schedulers.optimizers;

import hocket.schedulers.optimizers.kernels.Chunk;
import hocket.schedulers.optimizers.kernels.Powers;
import hocket.schedulers.optimizers.rates.Rate;
import hocket.schedulers.optimizers.transforms.Decay;
import hocket.schedulers.settings.Setting;
import java.util.List;

/**
 * Adan (Xie et al. 2022, Adaptive Nesterov Momentum Algorithm), as Optax's {@code adan}; its decay is {@link Decay}
 * after it. With d the change of the gradient, 0 at first, and everything corrected as in Adam:
 *
 * <pre>
 * m ← beta1 · m + (1 − beta1) · g
 * v ← beta2 · v + (1 − beta2) · d
 * n ← beta3 · n + (1 − beta3) · (g + (1 − beta2) · d)²
 * w ← w − r · (m + (1 − beta2) · v) / (√(n + epsilonRoot) + epsilon)
 * </pre>
 *
 * @param rate the learning rate
 * @param beta1 share of the mean that is kept, in [0, 1)
 * @param beta2 share of the mean change that is kept, in [0, 1)
 * @param beta3 share of the mean square that is kept, in [0, 1)
 * @param epsilon added to the root, at least 0
 * @param epsilonRoot added inside the root, at least 0
 */
public record Adan(
        @Setting(help = "learning rate") Rate rate,

        @Setting(usually = "0.98", least = 0, most = 0.9999999999, help = "share of the mean that is kept")
        double beta1,

        @Setting(usually = "0.92", least = 0, most = 0.9999999999, help = "share of the mean change that is kept")
        double beta2,

        @Setting(usually = "0.99", least = 0, most = 0.9999999999, help = "share of the mean square that is kept")
        double beta3,

        @Setting(usually = "1e-8", least = 0, help = "added to the root")
        double epsilon,

        @Setting(usually = "1e-8", least = 0, help = "added inside the root")
        double epsilonRoot)
        implements GradientTransformation, AdanCopies {
    /** @throws IllegalArgumentException if a setting is out of its range, naming the setting and its range */
    public Adan {
        AdanCopies.check(beta1, beta2, beta3, epsilon, epsilonRoot);
    }

    @Override
    public List<Slot> slots() {
        return List.of(Slot.of("m"), Slot.of("v"), Slot.of("n"), Slot.of("gradient"));
    }

    @Override
    public void prepare(long count, double rate, double[] numbers) {
        numbers[0] = 1 - Powers.of(beta1, count);
        numbers[1] = 1 - Powers.of(beta2, count);
        numbers[2] = 1 - Powers.of(beta3, count);
    }

    @Override
    public void update(Chunk chunk) {
        double[] u = chunk.update();
        double[] m = chunk.slot(0);
        double[] v = chunk.slot(1);
        double[] n = chunk.slot(2);
        double[] last = chunk.slot(3);
        double[] by = chunk.numbers();
        for (int i = 0; i < chunk.length(); i++) {
            double g = u[i];
            double d = chunk.count() == 1 ? 0 : g - last[i];
            double ahead = g + (1 - beta2) * d;
            m[i] = beta1 * m[i] + (1 - beta1) * g;
            v[i] = beta2 * v[i] + (1 - beta2) * d;
            n[i] = beta3 * n[i] + (1 - beta3) * ahead * ahead;
            double step = m[i] / by[0] + (1 - beta2) * (v[i] / by[1]);
            u[i] = chunk.rate() * step / (Math.sqrt(n[i] / by[2] + epsilonRoot) + epsilon);
            last[i] = g;
        }
    }
}
