package hocket.schedulers.optimizers;

import hocket.schedulers.optimizers.kernels.Chunk;
import hocket.schedulers.optimizers.kernels.Powers;
import hocket.schedulers.optimizers.rates.Rate;
import hocket.schedulers.settings.Keyed;
import hocket.schedulers.settings.Setting;
import java.util.List;

/**
 * AdaBelief (Zhuang et al. 2020, Adapting Stepsizes by the Belief in Observed Gradients), as Optax's {@code adabelief}; with
 * both epsilons 1e-8 as torch-optimizer's:
 *
 * <pre>
 * m ← beta1 · m + (1 − beta1) · g
 * s ← beta2 · s + (1 − beta2) · (g − m)² + epsilonRoot
 * w ← w − r · m/(1 − beta1ᵗ) / (√(s/(1 − beta2ᵗ)) + epsilon)
 * </pre>
 *
 * @param rate the learning rate
 * @param beta1 share of the mean that is kept, in [0, 1)
 * @param beta2 share of the mean square that is kept, in [0, 1)
 * @param epsilon added to the root, at least 0
 * @param epsilonRoot added to the variance at each update, at least 0
 */
@Keyed.Name("adabelief")
public record AdaBelief(
        @Setting(help = "learning rate") Rate rate,

        @Setting(usually = "0.9", least = 0, most = 0.9999999999, help = "share of the mean that is kept")
        double beta1,

        @Setting(usually = "0.999", least = 0, most = 0.9999999999, help = "share of the mean square that is kept")
        double beta2,

        @Setting(usually = "1e-16", least = 0, help = "added to the root")
        double epsilon,

        @Setting(usually = "1e-16", least = 0, help = "added to the variance at each update")
        double epsilonRoot)
        implements GradientTransformation, AdaBeliefCopies {
    /** @throws IllegalArgumentException if a setting is out of its range, naming the setting and its range */
    public AdaBelief {
        AdaBeliefCopies.check(beta1, beta2, epsilon, epsilonRoot);
    }

    @Override
    public List<Slot> slots() {
        return List.of(Slot.of("m"), Slot.of("s"));
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
        double[] s = chunk.slot(1);
        double mean = chunk.numbers()[0];
        double square = chunk.numbers()[1];
        for (int i = 0; i < chunk.length(); i++) {
            m[i] = beta1 * m[i] + (1 - beta1) * u[i];
            double error = u[i] - m[i];
            s[i] = beta2 * s[i] + (1 - beta2) * error * error + epsilonRoot;
            u[i] = chunk.rate() * (m[i] / mean) / (Math.sqrt(s[i] / square) + epsilon);
        }
    }
}
