package hocket.schedulers.optimizers;

import hocket.schedulers.optimizers.kernels.Chunk;
import hocket.schedulers.optimizers.rates.Rate;
import hocket.schedulers.settings.Setting;
import java.util.List;

/**
 * Adadelta (Zeiler 2012), as PyTorch's and Optax's:
 *
 * <pre>
 * v ← decay · v + (1 − decay) · g²
 * d ← √(x + epsilon) / √(v + epsilon) · g
 * x ← decay · x + (1 − decay) · d²
 * w ← w − r · d
 * </pre>
 *
 * @param rate the learning rate
 * @param decay share of the averages that is kept, in [0, 1)
 * @param epsilon added inside the roots, at least 0
 */
public record Adadelta(
        @Setting(help = "learning rate") Rate rate,

        @Setting(usually = "0.9", least = 0, most = 0.9999999999, help = "share of the averages that is kept")
        double decay,

        @Setting(usually = "1e-6", least = 0, help = "added inside the roots")
        double epsilon)
        implements GradientTransformation, AdadeltaCopies {
    /** @throws IllegalArgumentException if a setting is out of its range, naming the setting and its range */
    public Adadelta {
        AdadeltaCopies.check(decay, epsilon);
    }

    @Override
    public List<Slot> slots() {
        return List.of(Slot.of("v"), Slot.of("x"));
    }

    @Override
    public void update(Chunk chunk) {
        double[] u = chunk.update();
        double[] v = chunk.slot(0);
        double[] x = chunk.slot(1);
        for (int i = 0; i < chunk.length(); i++) {
            v[i] = decay * v[i] + (1 - decay) * u[i] * u[i];
            double root = Math.sqrt(v[i] + epsilon);
            double d = root == 0 ? 0 : Math.sqrt(x[i] + epsilon) / root * u[i];
            x[i] = decay * x[i] + (1 - decay) * d * d;
            u[i] = chunk.rate() * d;
        }
    }
}
