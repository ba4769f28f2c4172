package hocket.gan.augmentations;

import static hocket.programs.Operators.add;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.subtract;

import hocket.programs.Value;
import hocket.scopes.Scope;

/**
 * Changes how far channels are from their mean (Zhao et al. 2020, DiffAugment): {@code m + 2u · (x - m)}, where m is the
 * mean over the channels of each pixel; noise {@code saturation}. It does not change images of one channel.
 */
public record Saturation() implements Augmentation {
    /** @throws IllegalArgumentException if rows are not images */
    @Override
    public Value apply(Value rows) {
        RowDraws.requireImages("saturation", rows);
        if (rows.shape().get(0) == 1) {
            return rows;
        }
        try (Scope<Value> each = Augmentation.scope(rows)) {
            Value grey =
                    reshape(mean(rows, 0), 1, rows.shape().get(1), rows.shape().get(2));
            Value factor = scale(RowDraws.uniform(rows, "saturation"), 2);
            return add(grey, multiply(factor, subtract(rows, grey)));
        }
    }
}
