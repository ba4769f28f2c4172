package hocket.schedulers.optimizers.transforms;

import hocket.schedulers.optimizers.GradientTransformation;
import hocket.schedulers.optimizers.Slot;
import hocket.schedulers.optimizers.kernels.Chunk;
import hocket.schedulers.settings.Setting;
import java.util.List;

/**
 * Lookahead (Zhang et al. 2019, k Steps Forward, 1 Step Back), after an optimizer: at every period-th update the
 * weights go back to slow ← slow + share · (w − slow), w being where the rule would take them. As Optax's {@code
 * lookahead}.
 *
 * @param period updates forward, at least 1
 * @param share share of the change that is kept, in [0, 1]
 */
public record Lookahead(
        @Setting(usually = "5", least = 1, help = "number of updates forward")
        int period,

        @Setting(usually = "0.5", least = 0, most = 1, help = "share of the change that is kept")
        double share)
        implements GradientTransformation, LookaheadCopies {
    /** @throws IllegalArgumentException if a setting is out of its range, naming the setting and its range */
    public Lookahead {
        LookaheadCopies.check(period, share);
    }

    @Override
    public List<Slot> slots() {
        return List.of(Slot.ofWeight("slow"));
    }

    @Override
    public void update(Chunk chunk) {
        double[] u = chunk.update();
        double[] w = chunk.weight();
        double[] slow = chunk.slot(0);
        if (chunk.count() % period != 0) {
            return;
        }
        for (int i = 0; i < chunk.length(); i++) {
            slow[i] += share * (w[i] - u[i] - slow[i]);
            u[i] = w[i] - slow[i];
        }
    }
}
