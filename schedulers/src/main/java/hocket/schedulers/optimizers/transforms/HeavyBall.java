package hocket.schedulers.optimizers.transforms;

import hocket.schedulers.optimizers.GradientTransformation;
import hocket.schedulers.optimizers.Slot;
import hocket.schedulers.optimizers.kernels.Chunk;
import hocket.schedulers.settings.Setting;
import java.util.List;

/**
 * Momentum after any optimizer (Polyak 1964): v ← momentum · v + u, and v is the step. A negative momentum damps the
 * circling of players around each other (Gidel et al. 2019, Negative Momentum for Improved Game Dynamics). After SGD
 * the weight changes by −r · g + momentum · (its last step).
 *
 * @param momentum share of the last step that is taken again, in (−1, 1)
 */
public record HeavyBall(
        @Setting(least = -0.9999999999, most = 0.9999999999, help = "share of the last step that is added")
        double momentum)
        implements GradientTransformation, HeavyBallCopies {
    /** @throws IllegalArgumentException if the momentum is not in its range */
    public HeavyBall {
        HeavyBallCopies.check(momentum);
    }

    @Override
    public List<Slot> slots() {
        return List.of(Slot.of("step"));
    }

    @Override
    public void update(Chunk chunk) {
        double[] u = chunk.update();
        double[] step = chunk.slot(0);
        for (int i = 0; i < chunk.length(); i++) {
            step[i] = momentum * step[i] + u[i];
            u[i] = step[i];
        }
    }
}
