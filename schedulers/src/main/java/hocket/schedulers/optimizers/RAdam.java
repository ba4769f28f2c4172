package hocket.schedulers.optimizers;

import hocket.schedulers.optimizers.kernels.Chunk;
import hocket.schedulers.optimizers.kernels.Powers;
import hocket.schedulers.optimizers.rates.Rate;
import hocket.schedulers.settings.Setting;
import java.util.List;

/**
 * Rectified Adam (Liu et al. 2020, On the Variance of the Adaptive Learning Rate and Beyond). With ρ∞ = 2/(1 − beta2) − 1
 * and ρ = ρ∞ − 2t · beta2ᵗ/(1 − beta2ᵗ), where ρ is above 5 Adam's step times
 * √((ρ − 4)(ρ − 2)ρ∞ / ((ρ∞ − 4)(ρ∞ − 2)ρ)), elsewhere r · m/(1 − beta1ᵗ). PyTorch adds epsilon to √v before it is
 * corrected, Optax after.
 *
 * @param rate the learning rate
 * @param beta1 share of the mean that is kept, in [0, 1)
 * @param beta2 share of the mean square that is kept, in [0, 1)
 * @param epsilon added to the root, at least 0
 * @param as the library whose formula is used
 */
public record RAdam(
        @Setting(help = "learning rate") Rate rate,

        @Setting(usually = "0.9", least = 0, most = 0.9999999999, help = "share of the mean that is kept")
        double beta1,

        @Setting(usually = "0.999", least = 0, most = 0.9999999999, help = "share of the mean square that is kept")
        double beta2,

        @Setting(usually = "1e-8", least = 0, help = "added to the root")
        double epsilon,

        @Setting(usually = "pytorch", help = "convention: pytorch or optax")
        Convention as)
        implements GradientTransformation, RAdamCopies {
    /** @throws IllegalArgumentException if a setting is out of its range, naming the setting and its range */
    public RAdam {
        RAdamCopies.check(beta1, beta2, epsilon);
    }

    @Override
    public List<Slot> slots() {
        return List.of(Slot.of("m"), Slot.of("v"));
    }

    @Override
    public void prepare(long count, double rate, double[] numbers) {
        double power = Powers.of(beta2, count);
        double most = 2 / (1 - beta2) - 1;
        double length = most - 2 * count * power / (1 - power);
        boolean isRectified = as == Convention.OPTAX ? length >= 5 : length > 5;
        numbers[0] = 1 - Powers.of(beta1, count);
        numbers[1] = 1 - power;
        numbers[2] =
                isRectified ? Math.sqrt((length - 4) * (length - 2) * most / ((most - 4) * (most - 2) * length)) : 0;
    }

    @Override
    public void update(Chunk chunk) {
        double[] u = chunk.update();
        double[] m = chunk.slot(0);
        double[] v = chunk.slot(1);
        double[] n = chunk.numbers();
        double added = as == Convention.OPTAX ? epsilon : epsilon / Math.sqrt(n[1]);
        for (int i = 0; i < chunk.length(); i++) {
            m[i] = beta1 * m[i] + (1 - beta1) * u[i];
            v[i] = beta2 * v[i] + (1 - beta2) * u[i] * u[i];
            u[i] = chunk.rate() * m[i] / n[0];
            if (n[2] != 0) {
                u[i] *= n[2] / (Math.sqrt(v[i] / n[1]) + added);
            }
        }
    }
}
