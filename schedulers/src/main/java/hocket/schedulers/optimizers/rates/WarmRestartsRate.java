package hocket.schedulers.optimizers.rates;

import hocket.schedulers.settings.Setting;

/**
 * Cosines one after the other, each from one rate to another, the next {@code growth} times as long (Loshchilov and Hutter
 * 2017, SGDR), as PyTorch's {@code CosineAnnealingWarmRestarts}.
 *
 * @param from the rate at first
 * @param to the rate at the end
 * @param length how much it takes, at least 1
 * @param growth how many times longer each is than the one before
 * @param per the unit of lengths
 */
public record WarmRestartsRate(
        @Setting(least = 0, most = 1e6, help = "the initial rate")
        double from,

        @Setting(usually = "0", least = 0, most = 1e6, help = "the final rate")
        double to,

        @Setting(least = 1, help = "length, counted by per") long length,

        @Setting(usually = "1", least = 1, help = "factor of the length of each period to the previous one")
        int growth,

        @Setting(usually = "update", help = "unit of lengths: update, round or epoch")
        RateUnit per)
        implements Rate, WarmRestartsRateCopies {
    /** @throws IllegalArgumentException if a setting is out of its range, naming the setting and its range */
    public WarmRestartsRate {
        WarmRestartsRateCopies.check(from, to, length, growth);
    }

    @Override
    public double at(TrainingProgress trainingProgress) {
        double t = Math.max(0, per.of(trainingProgress));
        double cycle = length;
        if (growth == 1) {
            t -= Math.floor(t / cycle) * cycle;
        }
        while (t >= cycle) {
            t -= cycle;
            cycle *= growth;
        }
        return to + (from - to) * (1 + StrictMath.cos(Math.PI * t / cycle)) / 2;
    }
}
