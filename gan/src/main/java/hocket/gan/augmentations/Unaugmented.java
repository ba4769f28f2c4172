package hocket.gan.augmentations;

import hocket.programs.Value;
import hocket.schedulers.settings.Keyed;

/** Rows as they are. */
@Keyed.Name("none")
public record Unaugmented() implements Augmentation {
    @Override
    public Value apply(Value rows) {
        return rows;
    }
}
