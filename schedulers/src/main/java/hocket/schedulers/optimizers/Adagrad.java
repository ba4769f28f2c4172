package hocket.schedulers.optimizers;

import hocket.schedulers.optimizers.kernels.Chunk;
import hocket.schedulers.optimizers.rates.Rate;
import hocket.schedulers.settings.Setting;
import java.util.List;

/**
 * Adagrad (Duchi, Hazan and Singer 2011), as PyTorch's {@code torch.optim.Adagrad}; Optax's adds epsilon (1e-7) inside the
 * root and begins the sum at 0.1:
 *
 * <pre>
 * s ← s + g²
 * w ← w − r/(1 + (t − 1) · rateDecay) · g / (√s + epsilon)
 * </pre>
 *
 * @param rate the learning rate
 * @param epsilon added to the root, at least 0
 * @param rateDecay how fast the rate falls, at least 0
 * @param initial what s is at first, at least 0
 * @param epsilonInside whether epsilon is added inside the root
 */
public record Adagrad(
        @Setting(help = "learning rate") Rate rate,

        @Setting(usually = "1e-10", least = 0, help = "added to the root")
        double epsilon,

        @Setting(usually = "0", least = 0, help = "decay of the learning rate")
        double rateDecay,

        @Setting(usually = "0", least = 0, help = "initial sum of squares")
        double initial,

        @Setting(usually = "false", help = "whether epsilon is added inside the root, as in Optax")
        boolean epsilonInside)
        implements GradientTransformation, AdagradCopies {
    /** @throws IllegalArgumentException if a setting is out of its range, naming the setting and its range */
    public Adagrad {
        AdagradCopies.check(epsilon, rateDecay, initial);
    }

    @Override
    public List<Slot> slots() {
        return List.of(new Slot("sum", initial));
    }

    @Override
    public void update(Chunk chunk) {
        double[] u = chunk.update();
        double[] s = chunk.slot(0);
        double rate = chunk.rate() / (1 + (chunk.count() - 1) * rateDecay);
        for (int i = 0; i < chunk.length(); i++) {
            s[i] += u[i] * u[i];
            double root = epsilonInside ? Math.sqrt(s[i] + epsilon) : Math.sqrt(s[i]) + epsilon;
            u[i] = s[i] == 0 ? 0 : rate * u[i] / root;
        }
    }
}
