package hocket.gan.augmentations;

import static hocket.programs.Operators.add;
import static hocket.programs.Operators.scale;

import hocket.programs.Value;
import hocket.schedulers.settings.Setting;
import hocket.scopes.Scope;

/**
 * Instance noise (Sønderby et al. 2017): adds normal noise to every number; noise {@code noise}.
 *
 * @param deviation of the noise, at least 0
 */
public record InstanceNoise(
        @Setting(usually = "0.1", least = 0, help = "standard deviation of the noise that is added")
        double deviation) implements Augmentation, InstanceNoiseCopies {
    /** @throws IllegalArgumentException if the deviation is not finite and at least 0 */
    public InstanceNoise {
        InstanceNoiseCopies.check(deviation);
    }

    @Override
    public Value apply(Value rows) {
        try (Scope<Value> each = Augmentation.scope(rows)) {
            return add(rows, scale(rows.graph().noise("noise", rows.shape()), deviation));
        }
    }
}
