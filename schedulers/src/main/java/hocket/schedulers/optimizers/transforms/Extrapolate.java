package hocket.schedulers.optimizers.transforms;

import hocket.schedulers.optimizers.GradientTransformation;
import hocket.schedulers.optimizers.Slot;
import hocket.schedulers.optimizers.kernels.Chunk;
import java.util.List;

/**
 * Extrapolation from the past, after an optimizer (Popov 1980; Gidel et al. 2019, A Variational Inequality Perspective
 * on GANs, section 3.2): z ← z − u, and the weights are where the same step would lead from there, w ← z − u. So each
 * gradient is computed at the extrapolated point, updates the original point, and extrapolates again; one gradient an
 * update where extragradient takes two.
 */
public record Extrapolate() implements GradientTransformation {
    @Override
    public List<Slot> slots() {
        return List.of(Slot.ofWeight("base"));
    }

    @Override
    public void update(Chunk chunk) {
        double[] u = chunk.update();
        double[] w = chunk.weight();
        double[] base = chunk.slot(0);
        for (int i = 0; i < chunk.length(); i++) {
            base[i] -= u[i];
            u[i] = w[i] - (base[i] - u[i]);
        }
    }
}
