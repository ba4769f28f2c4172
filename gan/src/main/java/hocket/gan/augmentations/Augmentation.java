package hocket.gan.augmentations;

import hocket.programs.Value;
import hocket.schedulers.settings.Keyed;
import hocket.scopes.Scope;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A transformation of rows that keeps their shape and meaning. Gradients flow through it, and its noise is drawn again for
 * each row and pass. With the name of its class in files, or a class of your own.
 */
@Keyed
@FunctionalInterface
public interface Augmentation extends UnaryOperator<Value> {
    /** Returns whether its strength is the setting {@link Adaptive#PROBABILITY}, which {@link AdjustAugmentation} sets. */
    default boolean isAdaptive() {
        return false;
    }

    /** {@link Unaugmented}. */
    static Augmentation none() {
        return new Unaugmented();
    }

    /** Opens a scope for the noise of one application: {@code augmentation#1}, {@code augmentation#2}, … */
    static Scope<Value> scope(Value rows) {
        return rows.graph().derived("augmentation");
    }

    /** Applies augmentations one after another. */
    static Value all(List<? extends Augmentation> augmentations, Value rows) {
        Value changed = rows;
        for (Augmentation each : augmentations) {
            changed = each.apply(changed);
        }
        return changed;
    }
}
