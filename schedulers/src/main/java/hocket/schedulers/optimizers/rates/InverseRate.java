package hocket.schedulers.optimizers.rates;

import hocket.schedulers.settings.Limits;
import hocket.schedulers.settings.Setting;

/**
 * A rate that falls ever more slowly, from / (1 + t/length)^power: with power 0.5 the inverse square root of Vaswani et
 * al. 2017, Attention Is All You Need, after a warm-up.
 *
 * @param from the rate at first
 * @param length how much it takes, at least 1
 * @param power exponent, above 0
 * @param per the unit of lengths
 */
public record InverseRate(
        @Setting(least = 0, most = 1e6, help = "the initial rate")
        double from,

        @Setting(least = 1, help = "length, counted by per") long length,

        @Setting(usually = "1", least = 0, help = "exponent")
        double power,

        @Setting(usually = "update", help = "unit of lengths: update, round or epoch")
        RateUnit per)
        implements Rate, InverseRateCopies {
    /** @throws IllegalArgumentException if a setting is out of its range, naming the setting and its range */
    public InverseRate {
        InverseRateCopies.check(from, length, power);
        Limits.positive("power", power);
    }

    @Override
    public double at(TrainingProgress trainingProgress) {
        return from / StrictMath.pow(1 + Math.max(0, per.of(trainingProgress)) / length, power);
    }
}
