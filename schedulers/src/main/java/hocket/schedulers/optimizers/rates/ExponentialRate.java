package hocket.schedulers.optimizers.rates;

import hocket.schedulers.settings.Setting;

/**
 * A rate that is multiplied by a factor over each length, from · factor^(t/length), in steps if it is a staircase; as Optax's
 * {@code exponential_decay} and, with a length of 1, PyTorch's {@code ExponentialLR}.
 *
 * @param from the rate at first
 * @param factor factor over a length, at least 0
 * @param length how much a factor takes, at least 1
 * @param begin how much is over when it begins
 * @param staircase whether it changes in steps
 * @param to the smallest rate, at least 0
 * @param per the unit of lengths
 */
public record ExponentialRate(
        @Setting(least = 0, most = 1e6, help = "the initial rate")
        double from,

        @Setting(usually = "0.5", least = 0, help = "factor over a length")
        double factor,

        @Setting(usually = "1", least = 1, help = "length of one factor, counted by per")
        long length,

        @Setting(usually = "0", least = 0, help = "start, counted by per")
        long begin,

        @Setting(usually = "false", help = "whether it changes in steps")
        boolean staircase,

        @Setting(usually = "0", least = 0, most = 1e6, help = "the smallest rate")
        double to,

        @Setting(usually = "update", help = "unit of lengths: update, round or epoch")
        RateUnit per)
        implements Rate, ExponentialRateCopies {
    /** @throws IllegalArgumentException if a setting is out of its range, naming the setting and its range */
    public ExponentialRate {
        ExponentialRateCopies.check(from, factor, length, begin, to);
    }

    @Override
    public double at(TrainingProgress trainingProgress) {
        double share = Math.max(0, per.of(trainingProgress) - begin) / length;
        return Math.max(to, from * StrictMath.pow(factor, staircase ? Math.floor(share) : share));
    }
}
