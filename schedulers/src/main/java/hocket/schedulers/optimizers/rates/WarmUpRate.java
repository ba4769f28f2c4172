package hocket.schedulers.optimizers.rates;

import hocket.schedulers.settings.Setting;

/**
 * A straight line up to the first value of another rate, which then begins, as Optax's {@code warmup_*} schedules.
 *
 * @param length how much it takes, at least 1
 * @param then what follows, counted from the end of the warm-up
 * @param from the rate at first
 * @param per the unit of lengths
 */
public record WarmUpRate(
        @Setting(least = 1, help = "length, counted by per") long length,

        @Setting(help = "the rate after the warm-up") Rate then,

        @Setting(usually = "0", least = 0, most = 1e6, help = "the initial rate")
        double from,

        @Setting(usually = "update", help = "unit of lengths: update, round or epoch")
        RateUnit per)
        implements Rate, WarmUpRateCopies {
    /** @throws IllegalArgumentException if a setting is out of its range, or what follows watches a metric */
    public WarmUpRate {
        WarmUpRateCopies.check(length, from);
        MetricRate.requireOutermost("then", then);
    }

    @Override
    public double at(TrainingProgress trainingProgress) {
        double t = Math.max(0, per.of(trainingProgress));
        long over = (long) Math.min(length, t);
        TrainingProgress after = TrainingProgress.of(
                Math.max(1, trainingProgress.update() - (per == RateUnit.UPDATE ? over : 0)),
                Math.max(0, trainingProgress.round() - (per == RateUnit.ROUND ? over : 0)),
                Math.max(0, trainingProgress.epoch() - (per == RateUnit.EPOCH ? over : 0)));
        if (t >= length) {
            return then.at(after);
        }
        return from + (then.at(TrainingProgress.of(1, 0, 0)) - from) * t / length;
    }
}
