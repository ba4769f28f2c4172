package hocket.schedulers.optimizers.rates;

import hocket.schedulers.settings.Limits;
import hocket.schedulers.settings.Setting;

/**
 * From one rate to another, to + (from − to) · (1 − t/length)^power, as Optax's {@code polynomial_schedule} and PyTorch's
 * {@code PolynomialLR}.
 *
 * @param from the rate at first
 * @param to the rate at the end
 * @param length how much it takes, at least 1
 * @param begin how much is over when it begins
 * @param power exponent, above 0
 * @param per the unit of lengths
 */
public record PolynomialRate(
        @Setting(least = 0, most = 1e6, help = "the initial rate")
        double from,

        @Setting(usually = "0", least = 0, most = 1e6, help = "the final rate")
        double to,

        @Setting(least = 1, help = "length, counted by per") long length,

        @Setting(usually = "0", least = 0, help = "start, counted by per")
        long begin,

        @Setting(usually = "1", least = 0, help = "exponent")
        double power,

        @Setting(usually = "update", help = "unit of lengths: update, round or epoch")
        RateUnit per)
        implements Rate, PolynomialRateCopies {
    /** @throws IllegalArgumentException if a setting is out of its range, naming the setting and its range */
    public PolynomialRate {
        PolynomialRateCopies.check(from, to, length, begin, power);
        Limits.positive("power", power);
    }

    @Override
    public double at(TrainingProgress trainingProgress) {
        double share = Math.min(1, Math.max(0, per.of(trainingProgress) - begin) / length);
        return to + (from - to) * StrictMath.pow(1 - share, power);
    }
}
