package hocket.gan.augmentations;

import static hocket.programs.Operators.greater;
import static hocket.programs.Operators.where;

import hocket.programs.Value;
import hocket.schedulers.settings.Setting;
import hocket.scopes.Scope;
import java.util.List;

/**
 * Adaptive discriminator augmentation (Karras et al. 2020, StyleGAN2-ADA): each augmentation of a policy is applied to each
 * row with a probability p, which is the setting {@code p} of the open scope and which {@link AdjustAugmentation} raises
 * while the discriminator overfits. The setting is 0 at first; above 1 it acts as 1. Noise {@code gate}.
 *
 * @param policy augmentations, in their order
 */
public record Adaptive(
        @Setting(
                usually = "[mirror, translation, brightness, contrast, cutout]",
                help = "augmentations, each applied to a row with probability p")
        List<Augmentation> policy)
        implements Augmentation {
    /** The name of the setting in its scope. */
    public static final String PROBABILITY = "p";

    public Adaptive {
        policy = List.copyOf(policy);
    }

    /** @throws IllegalStateException if no scope is open, in which the setting is declared */
    @Override
    public Value apply(Value rows) {
        Value p = rows.graph().setting(PROBABILITY, 0);
        Value changed = rows;
        for (Augmentation each : policy) {
            Value augmented = each.apply(changed);
            try (Scope<Value> gated = Augmentation.scope(rows)) {
                changed = where(greater(p, RowDraws.uniform(rows, "gate")), augmented, changed);
            }
        }
        return changed;
    }

    @Override
    public boolean isAdaptive() {
        return true;
    }
}
