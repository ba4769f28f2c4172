package hocket.schedulers.optimizers.rates;

import hocket.schedulers.optimizers.kernels.Powers;
import hocket.schedulers.settings.Setting;

/**
 * A rate that is multiplied by a factor at fixed intervals, as PyTorch's {@code StepLR}.
 *
 * @param from the rate at first
 * @param every length between two changes, at least 1
 * @param factor factor of each change, at least 0
 * @param per the unit of lengths
 */
public record StepRate(
        @Setting(least = 0, most = 1e6, help = "the initial rate")
        double from,

        @Setting(least = 1, help = "length between two changes")
        long every,

        @Setting(usually = "0.1", least = 0, help = "factor of each change")
        double factor,

        @Setting(usually = "update", help = "unit of lengths: update, round or epoch")
        RateUnit per)
        implements Rate, StepRateCopies {
    /** @throws IllegalArgumentException if a setting is out of its range, naming the setting and its range */
    public StepRate {
        StepRateCopies.check(from, every, factor);
    }

    @Override
    public double at(TrainingProgress trainingProgress) {
        return from * Powers.of(factor, (long) Math.floor(Math.max(0, per.of(trainingProgress)) / every));
    }
}
