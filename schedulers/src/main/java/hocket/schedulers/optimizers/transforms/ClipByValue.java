package hocket.schedulers.optimizers.transforms;

import hocket.schedulers.optimizers.GradientTransformation;
import hocket.schedulers.optimizers.kernels.Chunk;
import hocket.schedulers.settings.Setting;

/**
 * Clips each element to ±value, as PyTorch's {@code clip_grad_value_} and Optax's {@code clip}.
 *
 * @param value the largest absolute value, at least 0
 */
public record ClipByValue(
        @Setting(least = 0, help = "the largest absolute value")
        double value) implements GradientTransformation, ClipByValueCopies {
    /** @throws IllegalArgumentException if a setting is out of its range, naming the setting and its range */
    public ClipByValue {
        ClipByValueCopies.check(value);
    }

    @Override
    public void update(Chunk chunk) {
        double[] u = chunk.update();
        for (int i = 0; i < chunk.length(); i++) {
            u[i] = Math.max(-value, Math.min(value, u[i]));
        }
    }
}
