package hocket.schedulers.optimizers;

import hocket.schedulers.optimizers.kernels.Chunk;
import hocket.schedulers.optimizers.rates.Rate;
import hocket.schedulers.settings.Keyed;
import hocket.schedulers.settings.Setting;
import java.util.ArrayList;
import java.util.List;

/**
 * RMSprop (Hinton, lecture 6e of Neural Networks for Machine Learning, 2012), as PyTorch's {@code torch.optim.RMSprop}.
 * With gradient g, weight w, rate r:
 *
 * <pre>
 * v ← decay · v + (1 − decay) · g²
 * u ← g / (√v + epsilon)                        (centered: a ← decay · a + (1 − decay) · g and √max(0, v − a²))
 * b ← momentum · b + u
 * w ← w − r · b                                 (without momentum: w − r · u)
 * </pre>
 *
 * Epsilon is added outside the root; Optax, and TensorFlow, add it inside, √(v + epsilon), which
 * {@code epsilonInside} does, and may let v begin at something else than 0.
 *
 * @param rate the learning rate
 * @param decay share of the averages that is kept, in [0, 1); PyTorch calls it alpha
 * @param epsilon added to the root, at least 0
 * @param centered whether to divide by the deviation from the mean gradient instead of by the root mean square
 * @param momentum share of the buffer b that is kept, in [0, 1); with 0 there is no buffer
 * @param epsilonInside whether epsilon is added inside the root, as Optax's {@code eps_in_sqrt}
 * @param initial what v is at first, at least 0; Optax's {@code initial_scale}
 */
@Keyed.Name("rmsprop")
public record RmsProp(
        @Setting(help = "learning rate") Rate rate,

        @Setting(usually = "0.99", least = 0, most = 0.9999999999, help = "share of the mean square that is kept")
        double decay,

        @Setting(usually = "1e-8", least = 0, help = "added to the root")
        double epsilon,

        @Setting(usually = "false", help = "whether the mean is subtracted")
        boolean centered,

        @Setting(usually = "0", least = 0, most = 0.9999999999, help = "share of the last step that is kept")
        double momentum,

        @Setting(usually = "false", help = "whether epsilon is added inside the root, as in Optax and TensorFlow")
        boolean epsilonInside,

        @Setting(usually = "0", least = 0, help = "initial mean square")
        double initial)
        implements GradientTransformation, RmsPropCopies {
    /** @throws IllegalArgumentException if a setting is out of its range, naming the setting and its range */
    public RmsProp {
        RmsPropCopies.check(decay, epsilon, momentum, initial);
    }

    @Override
    public List<Slot> slots() {
        List<Slot> slots = new ArrayList<>(List.of(new Slot("v", initial)));
        if (centered) {
            slots.add(Slot.of("mean"));
        }
        if (momentum > 0) {
            slots.add(Slot.of("momentum"));
        }
        return List.copyOf(slots);
    }

    @Override
    public void update(Chunk chunk) {
        double[] u = chunk.update();
        double[] v = chunk.slot(0);
        double rate = chunk.rate();
        for (int i = 0; i < chunk.length(); i++) {
            v[i] = decay * v[i] + (1 - decay) * u[i] * u[i];
        }
        double[] mean = chunk.slot(centered ? 1 : 0);
        double[] b = chunk.slot(momentum > 0 ? (centered ? 2 : 1) : 0);
        for (int i = 0; i < chunk.length(); i++) {
            double square = v[i];
            if (centered) {
                mean[i] = decay * mean[i] + (1 - decay) * u[i];
                square = Math.max(0, square - mean[i] * mean[i]);
            }
            double step = u[i] / (epsilonInside ? Math.sqrt(square + epsilon) : Math.sqrt(square) + epsilon);
            if (momentum > 0) {
                b[i] = momentum * b[i] + step;
                step = b[i];
            }
            u[i] = rate * step;
        }
    }
}
