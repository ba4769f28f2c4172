package hocket.schedulers.optimizers;

import hocket.schedulers.optimizers.kernels.Chunk;
import hocket.schedulers.optimizers.kernels.Powers;
import hocket.schedulers.optimizers.rates.Rate;
import hocket.schedulers.settings.Keyed;
import hocket.schedulers.settings.Setting;
import java.util.List;

/**
 * AMSGrad (Reddi, Kale and Kumar 2018, On the Convergence of Adam and Beyond): Adam whose mean square never falls. PyTorch
 * takes the largest v before its correction, Optax after it:
 *
 * <pre>
 * m ← beta1 · m + (1 − beta1) · g
 * v ← beta2 · v + (1 − beta2) · g²
 * PyTorch: x ← max(x, v),                w ← w − r · m/(1 − beta1ᵗ) / (√(x/(1 − beta2ᵗ)) + epsilon)
 * Optax:   x ← max(x, v/(1 − beta2ᵗ)),   w ← w − r · m/(1 − beta1ᵗ) / (√(x + epsilonRoot) + epsilon)
 * </pre>
 *
 * @param rate the learning rate
 * @param beta1 share of the mean that is kept, in [0, 1)
 * @param beta2 share of the mean square that is kept, in [0, 1)
 * @param epsilon added to the root, at least 0
 * @param epsilonRoot added inside the root, at least 0
 * @param as the library whose formula is used
 */
@Keyed.Name("amsgrad")
public record AmsGrad(
        @Setting(help = "learning rate") Rate rate,

        @Setting(usually = "0.9", least = 0, most = 0.9999999999, help = "share of the mean that is kept")
        double beta1,

        @Setting(usually = "0.999", least = 0, most = 0.9999999999, help = "share of the mean square that is kept")
        double beta2,

        @Setting(usually = "1e-8", least = 0, help = "added to the root")
        double epsilon,

        @Setting(usually = "0", least = 0, help = "added inside the root")
        double epsilonRoot,

        @Setting(usually = "pytorch", help = "convention: pytorch or optax")
        Convention as)
        implements GradientTransformation, AmsGradCopies {
    /** @throws IllegalArgumentException if a setting is out of its range, naming the setting and its range */
    public AmsGrad {
        AmsGradCopies.check(beta1, beta2, epsilon, epsilonRoot);
    }

    @Override
    public List<Slot> slots() {
        return List.of(Slot.of("m"), Slot.of("v"), Slot.of("max"));
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
        double[] x = chunk.slot(2);
        double mean = chunk.numbers()[0];
        double square = chunk.numbers()[1];
        boolean isOptax = as == Convention.OPTAX;
        for (int i = 0; i < chunk.length(); i++) {
            m[i] = beta1 * m[i] + (1 - beta1) * u[i];
            v[i] = beta2 * v[i] + (1 - beta2) * u[i] * u[i];
            x[i] = Math.max(x[i], isOptax ? v[i] / square : v[i]);
            double root = Math.sqrt((isOptax ? x[i] : x[i] / square) + epsilonRoot) + epsilon;
            u[i] = chunk.rate() * (m[i] / mean) / root;
        }
    }
}
