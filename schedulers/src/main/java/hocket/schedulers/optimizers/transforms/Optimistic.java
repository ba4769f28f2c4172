package hocket.schedulers.optimizers.transforms;

import hocket.schedulers.optimizers.GradientTransformation;
import hocket.schedulers.optimizers.Slot;
import hocket.schedulers.optimizers.kernels.Chunk;
import hocket.schedulers.settings.Setting;
import java.util.List;

/**
 * Optimism (Daskalakis et al. 2018, Training GANs with Optimism): u ← (alpha + beta) · u − beta · (u of the update
 * before), as Optax's {@code scale_by_optimistic_gradient}. Before SGD it is optimistic gradient descent, after Adam it
 * is optimistic Adam.
 *
 * @param alpha factor of the new gradient
 * @param beta factor of the previous gradient
 * @param zeroStart whether the gradient before the first update counts as 0; otherwise it equals the first one
 */
public record Optimistic(
        @Setting(usually = "1", help = "factor of the new gradient")
        double alpha,

        @Setting(usually = "1", help = "factor of the previous gradient")
        double beta,

        @Setting(usually = "false", help = "whether the gradient before the first update counts as 0 instead of equal")
        boolean zeroStart)
        implements GradientTransformation, OptimisticCopies {
    @Override
    public List<Slot> slots() {
        return List.of(Slot.of("last"));
    }

    @Override
    public void update(Chunk chunk) {
        double[] u = chunk.update();
        double[] last = chunk.slot(0);
        for (int i = 0; i < chunk.length(); i++) {
            double now = u[i];
            double before = chunk.count() == 1 && !zeroStart ? now : last[i];
            u[i] = (alpha + beta) * now - beta * before;
            last[i] = now;
        }
    }
}
