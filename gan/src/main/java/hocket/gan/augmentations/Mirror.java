package hocket.gan.augmentations;

import static hocket.programs.Operators.where;

import hocket.programs.Value;
import hocket.scopes.Scope;

/** Flips each row along its last axis with probability 1/2; noise {@code half}. */
public record Mirror() implements Augmentation {
    @Override
    public Value apply(Value rows) {
        try (Scope<Value> each = Augmentation.scope(rows)) {
            return where(RowDraws.atLeast(RowDraws.uniform(rows, "half"), 0.5), new Flip().apply(rows), rows);
        }
    }
}
