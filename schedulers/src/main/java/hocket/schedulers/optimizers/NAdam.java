package hocket.schedulers.optimizers;

import hocket.schedulers.optimizers.kernels.Chunk;
import hocket.schedulers.optimizers.kernels.Powers;
import hocket.schedulers.optimizers.rates.Rate;
import hocket.schedulers.settings.Setting;
import java.util.List;

/**
 * NAdam (Dozat 2016, Incorporating Nesterov Momentum into Adam), as PyTorch's {@code torch.optim.NAdam}, whose momentum
 * warms up. It is μₜ = beta1 · (1 − 0.96^(t · momentumDecay) / 2), and with P the product of all μ so far
 *
 * <pre>
 * w ← w − r · ((1 − μₜ)/(1 − P) · g + μₜ₊₁/(1 − P · μₜ₊₁) · m) / (√(v/(1 − beta2ᵗ)) + epsilon)
 * </pre>
 *
 * Optax's {@code nadam} has no such schedule: it is {@link Adam#nesterov}.
 *
 * @param rate the learning rate
 * @param beta1 share of the mean that is kept, in [0, 1)
 * @param beta2 share of the mean square that is kept, in [0, 1)
 * @param epsilon added to the root, at least 0
 * @param momentumDecay how fast the momentum warms up, at least 0
 */
public record NAdam(
        @Setting(help = "learning rate") Rate rate,

        @Setting(usually = "0.9", least = 0, most = 0.9999999999, help = "share of the mean that is kept")
        double beta1,

        @Setting(usually = "0.999", least = 0, most = 0.9999999999, help = "share of the mean square that is kept")
        double beta2,

        @Setting(usually = "1e-8", least = 0, help = "added to the root")
        double epsilon,

        @Setting(usually = "4e-3", least = 0, help = "decay of the momentum's warm-up")
        double momentumDecay)
        implements GradientTransformation, NAdamCopies {
    /** @throws IllegalArgumentException if a setting is out of its range, naming the setting and its range */
    public NAdam {
        NAdamCopies.check(beta1, beta2, epsilon, momentumDecay);
    }

    @Override
    public List<Slot> slots() {
        return List.of(Slot.of("m"), Slot.of("v"));
    }

    @Override
    public void prepare(long count, double rate, double[] numbers) {
        float product = 1; // PyTorch keeps it in float32
        for (long i = 1; i <= count && product > 1e-18f; i++) { // below that, 1 − product is 1
            product *= (float) momentum(i);
        }
        double now = momentum(count);
        double next = momentum(count + 1);
        numbers[0] = (1 - now) / (1 - (double) product);
        numbers[1] = next / (1 - product * next);
        numbers[2] = 1 - Powers.of(beta2, count);
    }

    private double momentum(long count) {
        return beta1 * (1 - 0.5 * StrictMath.pow(0.96, count * momentumDecay));
    }

    @Override
    public void update(Chunk chunk) {
        double[] u = chunk.update();
        double[] m = chunk.slot(0);
        double[] v = chunk.slot(1);
        double[] n = chunk.numbers();
        for (int i = 0; i < chunk.length(); i++) {
            m[i] = beta1 * m[i] + (1 - beta1) * u[i];
            v[i] = beta2 * v[i] + (1 - beta2) * u[i] * u[i];
            u[i] = chunk.rate() * (n[0] * u[i] + n[1] * m[i]) / (Math.sqrt(v[i] / n[2]) + epsilon);
        }
    }
}
