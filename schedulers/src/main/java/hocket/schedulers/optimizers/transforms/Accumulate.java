package hocket.schedulers.optimizers.transforms;

import hocket.schedulers.optimizers.Slot;
import hocket.schedulers.optimizers.kernels.Chunk;
import hocket.schedulers.settings.Setting;
import java.util.List;

/**
 * Accumulates k updates and passes on their mean at every k-th; later transformations neither run nor count in between.
 * As Optax's {@code MultiSteps}.
 *
 * @param accumulate how many updates, at least 1
 */
public record Accumulate(
        @Setting(least = 1, most = 1e6, help = "number of updates to accumulate")
        int accumulate) implements Gate, AccumulateCopies {
    /** @throws IllegalArgumentException if the number is below 1 */
    public Accumulate {
        AccumulateCopies.check(accumulate);
    }

    @Override
    public List<Slot> slots() {
        return List.of(Slot.of("sum"));
    }

    @Override
    public boolean opens(long count) {
        return count % accumulate == 0;
    }

    @Override
    public void update(Chunk chunk) {
        double[] u = chunk.update();
        double[] sum = chunk.slot(0);
        boolean opens = opens(chunk.count());
        for (int i = 0; i < chunk.length(); i++) {
            sum[i] += u[i];
            u[i] = sum[i] / accumulate;
            sum[i] = opens ? 0 : sum[i];
        }
    }
}
