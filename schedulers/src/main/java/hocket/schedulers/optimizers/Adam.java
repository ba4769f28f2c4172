package hocket.schedulers.optimizers;

import hocket.schedulers.optimizers.kernels.Chunk;
import hocket.schedulers.optimizers.kernels.Powers;
import hocket.schedulers.optimizers.rates.Rate;
import hocket.schedulers.settings.Setting;
import java.util.List;

/**
 * Adam (Kingma and Ba, 2015, section 2) and AdamW (Loshchilov and Hutter, 2019, algorithm 2), as PyTorch's
 * {@code torch.optim.Adam} and {@code AdamW}. With gradient g, weight w, rate r, at update t:
 *
 * <pre>
 * g ← g + weightDecay · w                       (decoupled: w ← w · (1 − r · weightDecay) instead)
 * m ← beta1 · m + (1 − beta1) · g
 * v ← beta2 · v + (1 − beta2) · g²
 * w ← w − r · m/(1 − beta1ᵗ) / (√(v/(1 − beta2ᵗ)) + epsilon)
 * </pre>
 *
 * The two corrections are folded into the rate and epsilon, once an update, by section 2's reordering. With an epsilon
 * inside the root it is √(v/(1 − beta2ᵗ) + epsilonRoot); with {@code nesterov} the mean looks one update ahead,
 * beta1 · m/(1 − beta1ᵗ⁺¹) + (1 − beta1) · g/(1 − beta1ᵗ), both as Optax's {@code adam}. With an uncorrected epsilon it is
 * √(1 − beta2ᵗ) · m/(1 − beta1ᵗ) / (√v + epsilon), as PyTorch's {@code SparseAdam} and TensorFlow's Adam.
 *
 * @param rate the learning rate
 * @param beta1 share of m that is kept, in [0, 1)
 * @param beta2 share of v that is kept, in [0, 1)
 * @param epsilon added to the root, at least 0
 * @param weightDecay factor of the weight that is added to its gradient, or taken off the weight; at least 0
 * @param decoupled whether the decay goes past the two averages, as in AdamW
 * @param epsilonRoot added inside the root, as Optax's {@code eps_root}; at least 0
 * @param nesterov whether the mean looks ahead, as Optax's {@code nadam}; PyTorch's is {@link NAdam}
 * @param uncorrectedEpsilon whether epsilon is added before the correction of the root
 */
public record Adam(
        @Setting(help = "learning rate") Rate rate,

        @Setting(usually = "0.9", least = 0, most = 0.9999999999, help = "share of the mean that is kept")
        double beta1,

        @Setting(usually = "0.999", least = 0, most = 0.9999999999, help = "share of the mean square that is kept")
        double beta2,

        @Setting(usually = "1e-8", least = 0, help = "added to the root")
        double epsilon,

        @Setting(usually = "0", least = 0, help = "weight decay")
        double weightDecay,

        @Setting(usually = "false", help = "decay of the weight itself, as AdamW")
        boolean decoupled,

        @Setting(usually = "0", least = 0, help = "added inside the root")
        double epsilonRoot,

        @Setting(usually = "false", help = "whether the mean looks ahead, as Optax's nadam")
        boolean nesterov,

        @Setting(usually = "false", help = "whether epsilon is added before the correction, as PyTorch's SparseAdam")
        boolean uncorrectedEpsilon)
        implements GradientTransformation, AdamCopies {
    /** @throws IllegalArgumentException if a setting is out of its range, naming the setting and its range */
    public Adam {
        AdamCopies.check(beta1, beta2, epsilon, weightDecay, epsilonRoot);
    }

    /** Decay by the gradient, as PyTorch's {@code Adam(weight_decay)}. */
    public Adam weightDecay(double value) {
        return new Adam(rate, beta1, beta2, epsilon, value, false, epsilonRoot, nesterov, uncorrectedEpsilon);
    }

    /** Decay of the weight itself, as PyTorch's {@code AdamW(weight_decay)}. */
    public Adam decoupledWeightDecay(double value) {
        return new Adam(rate, beta1, beta2, epsilon, value, true, epsilonRoot, nesterov, uncorrectedEpsilon);
    }

    @Override
    public List<Slot> slots() {
        return List.of(Slot.of("m"), Slot.of("v"));
    }

    @Override
    public void prepare(long count, double rate, double[] numbers) {
        numbers[0] = 1 - Powers.of(beta1, count);
        numbers[1] = 1 - Powers.of(beta1, count + 1);
        numbers[2] = 1 - Powers.of(beta2, count);
    }

    @Override
    public void update(Chunk chunk) {
        double[] u = chunk.update();
        double[] w = chunk.weight();
        double[] m = chunk.slot(0);
        double[] v = chunk.slot(1);
        double rate = chunk.rate();
        double now = chunk.numbers()[0];
        double ahead = chunk.numbers()[1];
        double square = chunk.numbers()[2];
        double added = uncorrectedEpsilon ? epsilon / Math.sqrt(square) : epsilon;
        for (int i = 0; i < chunk.length(); i++) {
            double g = decoupled ? u[i] : u[i] + weightDecay * w[i];
            m[i] = beta1 * m[i] + (1 - beta1) * g;
            v[i] = beta2 * v[i] + (1 - beta2) * g * g;
            double mean = nesterov ? beta1 * m[i] / ahead + (1 - beta1) * g / now : m[i] / now;
            u[i] = rate * mean / (Math.sqrt(v[i] / square + epsilonRoot) + added);
            if (decoupled) {
                u[i] += rate * weightDecay * w[i];
            }
        }
    }
}
