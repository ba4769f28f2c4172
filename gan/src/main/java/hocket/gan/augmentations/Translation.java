package hocket.gan.augmentations;

import static hocket.programs.Operators.add;
import static hocket.programs.Operators.equal;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.pad;
import static hocket.programs.Operators.slice;

import hocket.programs.Value;
import hocket.schedulers.settings.Setting;
import hocket.scopes.Scope;

/**
 * Shifts images by whole pixels along both axes, with zeros where nothing was (Zhao et al. 2020, DiffAugment); noise {@code
 * down} and {@code right}.
 *
 * @param share of the height and width that is the largest shift, rounded to whole pixels
 */
public record Translation(
        @Setting(usually = "0.125", least = 0, most = 1, help = "largest shift, as a share of height and width")
        double share)
        implements Augmentation, TranslationCopies {
    /** @throws IllegalArgumentException if the share is out of 0..1 */
    public Translation {
        TranslationCopies.check(share);
    }

    /** @throws IllegalArgumentException if rows are not images */
    @Override
    public Value apply(Value rows) {
        RowDraws.requireImages("translation", rows);
        try (Scope<Value> each = Augmentation.scope(rows)) {
            return shifted(shifted(rows, 1, "down"), 2, "right");
        }
    }

    private Value shifted(Value rows, int axis, String name) {
        int extent = rows.shape().get(axis);
        int most = (int) (extent * share + 0.5);
        if (most == 0) {
            return rows;
        }
        Value padded = pad(rows, axis, most, most);
        Value number = RowDraws.floor(RowDraws.uniform(rows, name), 2 * most + 1);
        Value all = rows.graph().constant(0);
        for (int k = 0; k <= 2 * most; k++) { // y[i] = x[i + k - most]
            Value here = equal(number, rows.graph().constant(k));
            all = add(all, multiply(here, slice(padded, axis, k, k + extent)));
        }
        return all;
    }
}
