package hocket.schedulers.optimizers;

import hocket.schedulers.optimizers.kernels.ArraySums;
import hocket.schedulers.optimizers.kernels.Chunk;
import hocket.schedulers.optimizers.kernels.Powers;
import hocket.schedulers.optimizers.rates.Rate;
import hocket.schedulers.optimizers.transforms.Measuring;
import hocket.schedulers.settings.Setting;
import java.util.List;

/**
 * LAMB (You et al. 2020, Large Batch Optimization for Deep Learning): Adam's direction with decay, d, as long as the weights
 * of its array are, w ← w − r · |w|/|d| · d. Where one of the norms is 0 their ratio is 1. As Optax's {@code lamb};
 * torch-optimizer's is {@code uncorrected} with weights of at most norm 10.
 *
 * @param rate the learning rate
 * @param beta1 share of the mean that is kept, in [0, 1)
 * @param beta2 share of the mean square that is kept, in [0, 1)
 * @param epsilon added to the root, at least 0
 * @param weightDecay share of the weight that is added to the direction, at least 0
 * @param uncorrected whether the averages are not corrected for their start
 * @param most the largest norm of weights that counts, 0 for any
 */
public record Lamb(
        @Setting(help = "learning rate") Rate rate,

        @Setting(usually = "0.9", least = 0, most = 0.9999999999, help = "share of the mean that is kept")
        double beta1,

        @Setting(usually = "0.999", least = 0, most = 0.9999999999, help = "share of the mean square that is kept")
        double beta2,

        @Setting(usually = "1e-6", least = 0, help = "added to the root")
        double epsilon,

        @Setting(usually = "0", least = 0, help = "weight decay")
        double weightDecay,

        @Setting(usually = "false", help = "whether the averages' bias correction is omitted")
        boolean uncorrected,

        @Setting(usually = "0", least = 0, help = "largest weight norm that counts; 0 for no limit")
        double most)
        implements Measuring, LambCopies {
    /** @throws IllegalArgumentException if a setting is out of its range, naming the setting and its range */
    public Lamb {
        LambCopies.check(beta1, beta2, epsilon, weightDecay, most);
    }

    @Override
    public List<Slot> slots() {
        return List.of(Slot.of("m"), Slot.of("v"));
    }

    @Override
    public void prepare(long count, double rate, double[] numbers) {
        numbers[0] = uncorrected ? 1 : 1 - Powers.of(beta1, count);
        numbers[1] = uncorrected ? 1 : 1 - Powers.of(beta2, count);
    }

    @Override
    public Over over() {
        return Over.ARRAY;
    }

    @Override
    public int sums() {
        return 2;
    }

    @Override
    public void measure(Chunk chunk) {
        double[] u = chunk.update();
        double[] w = chunk.weight();
        double[] m = chunk.slot(0);
        double[] v = chunk.slot(1);
        double[] n = chunk.numbers();
        for (int i = 0; i < chunk.length(); i++) {
            m[i] = beta1 * m[i] + (1 - beta1) * u[i];
            v[i] = beta2 * v[i] + (1 - beta2) * u[i] * u[i];
            u[i] = m[i] / n[0] / (Math.sqrt(v[i] / n[1]) + epsilon) + weightDecay * w[i];
        }
        chunk.add(0, ArraySums.ofSquares(u, chunk.length()));
        chunk.add(1, ArraySums.ofSquares(w, chunk.length()));
    }

    @Override
    public void update(Chunk chunk) {
        double direction = Math.sqrt(chunk.sum(0));
        double weight = Math.sqrt(chunk.sum(1));
        weight = most > 0 ? Math.min(most, weight) : weight;
        double ratio = direction == 0 || weight == 0 ? 1 : weight / direction;
        ArraySums.scale(chunk.update(), chunk.length(), chunk.rate() * ratio);
    }
}
