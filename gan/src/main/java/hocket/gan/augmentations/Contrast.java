package hocket.gan.augmentations;

import static hocket.programs.Operators.add;
import static hocket.programs.Operators.flatten;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.shift;
import static hocket.programs.Operators.subtract;

import hocket.programs.Value;
import hocket.scopes.Scope;
import hocket.scopes.Shape;

/**
 * Changes how far the numbers of a row are from their mean (Zhao et al. 2020, DiffAugment): {@code m + (u + 1/2) · (x - m)},
 * where m is the mean of the row; noise {@code contrast}.
 */
public record Contrast() implements Augmentation {
    @Override
    public Value apply(Value rows) {
        try (Scope<Value> each = Augmentation.scope(rows)) {
            Value centre = reshape(
                    mean(flatten(rows), 0), Shape.ones(rows.shape().rank()).extents());
            Value factor = shift(RowDraws.uniform(rows, "contrast"), 0.5);
            return add(centre, multiply(factor, subtract(rows, centre)));
        }
    }
}
