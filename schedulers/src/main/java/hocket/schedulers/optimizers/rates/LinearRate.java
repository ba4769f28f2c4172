package hocket.schedulers.optimizers.rates;

import hocket.schedulers.settings.Setting;
import java.math.BigDecimal;
import java.util.Locale;

/**
 * One rate, then a straight line to another, which stays. As Optax's {@code linear_schedule}, and as PyTorch's
 * {@code LinearLR}.
 *
 * @param from the rate before
 * @param to the rate after
 * @param begin how much is over when it begins to change
 * @param length how much the change takes
 * @param per the unit of lengths
 */
public record LinearRate(
        @Setting(least = 0, most = 1e6, help = "the rate before")
        double from,

        @Setting(least = 0, most = 1e6, help = "the rate after")
        double to,

        @Setting(usually = "0", least = 0, help = "number of updates before the change")
        long begin,

        @Setting(least = 1, help = "number of updates of the change")
        long length,

        @Setting(usually = "update", help = "unit of lengths: update, round or epoch")
        RateUnit per)
        implements Rate, LinearRateCopies {
    /** @throws IllegalArgumentException if a setting is out of its range */
    public LinearRate {
        LinearRateCopies.check(from, to, begin, length);
    }

    @Override
    public double at(TrainingProgress trainingProgress) {
        double share = Math.min(1, Math.max(0, (per.of(trainingProgress) - begin) / length));
        return from + share * (to - from);
    }

    @Override
    public String describe() {
        return plain(from) + ", from " + per.name().toLowerCase(Locale.ROOT) + " " + begin + " to " + (begin + length)
                + " in a line to " + plain(to);
    }

    private static String plain(double rate) {
        return BigDecimal.valueOf(rate).stripTrailingZeros().toPlainString();
    }

    @Override
    public String toString() {
        return describe();
    }
}
