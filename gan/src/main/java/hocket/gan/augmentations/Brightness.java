package hocket.gan.augmentations;

import static hocket.programs.Operators.add;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.shift;

import hocket.programs.Value;
import hocket.schedulers.settings.Setting;
import hocket.scopes.Scope;

/**
 * Adds one number to all of a row (Zhao et al. 2020, DiffAugment): {@code x + (u - 1/2) · range}; noise {@code brightness}.
 *
 * @param range of the numbers, at least 0
 */
public record Brightness(
        @Setting(usually = "1", least = 0, help = "range of the number that is added, half to each side")
        double range) implements Augmentation, BrightnessCopies {
    /** @throws IllegalArgumentException if the range is not finite and at least 0 */
    public Brightness {
        BrightnessCopies.check(range);
    }

    @Override
    public Value apply(Value rows) {
        try (Scope<Value> each = Augmentation.scope(rows)) {
            return add(rows, scale(shift(RowDraws.uniform(rows, "brightness"), -0.5), range));
        }
    }
}
