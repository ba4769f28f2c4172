package hocket.schedulers.optimizers.rates;

import hocket.schedulers.settings.Limits;
import hocket.schedulers.settings.Setting;

/**
 * The same rate at every update.
 *
 * @param value the rate
 */
public record ConstantRate(
        @Setting(least = 0, most = 1e6, help = "the rate") double value) implements Rate {
    /** @throws IllegalArgumentException if the rate is negative, above 1e6 or not finite */
    public ConstantRate {
        Limits.real("rate", value, 0, 1e6);
    }

    @Override
    public double at(TrainingProgress trainingProgress) {
        return value;
    }

    @Override
    public String describe() {
        return Double.toString(value);
    }

    @Override
    public String toString() {
        return describe();
    }
}
