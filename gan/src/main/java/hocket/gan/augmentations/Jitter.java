package hocket.gan.augmentations;

import static hocket.programs.Operators.add;
import static hocket.programs.Operators.scale;

import hocket.programs.Value;
import hocket.schedulers.settings.Setting;
import hocket.scopes.Scope;

/**
 * Adds normal noise to every number, as instance noise (Sønderby et al. 2017) does; noise {@code noise}.
 *
 * @param deviation of the noise, at least 0
 */
public record Jitter(
        @Setting(usually = "0.1", least = 0, help = "standard deviation of the noise that is added")
        double deviation) implements Augmentation, JitterCopies {
    /** @throws IllegalArgumentException if the deviation is not finite and at least 0 */
    public Jitter {
        JitterCopies.check(deviation);
    }

    @Override
    public Value apply(Value rows) {
        try (Scope<Value> each = Augmentation.scope(rows)) {
            return add(rows, scale(rows.graph().noise("noise", rows.shape()), deviation));
        }
    }
}
