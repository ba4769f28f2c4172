package hocket.schedulers.optimizers.rates;

import hocket.schedulers.settings.Limits;
import hocket.schedulers.settings.Setting;

/**
 * Half a cosine from one rate to another, to + (from − to) · ((1 + cos(π · t/length))/2)^power, as Optax's
 * {@code cosine_decay_schedule} and PyTorch's {@code CosineAnnealingLR}, which goes up again after it: it {@code swings}.
 *
 * @param from the rate at first
 * @param to the rate at the end
 * @param length how much it takes, at least 1
 * @param begin how much is over when it begins
 * @param power exponent of the cosine, above 0
 * @param swings whether it goes up and down again after its end
 * @param per the unit of lengths
 */
public record CosineRate(
        @Setting(least = 0, most = 1e6, help = "the initial rate")
        double from,

        @Setting(usually = "0", least = 0, most = 1e6, help = "the final rate")
        double to,

        @Setting(least = 1, help = "length, counted by per") long length,

        @Setting(usually = "0", least = 0, help = "start, counted by per")
        long begin,

        @Setting(usually = "1", least = 0, help = "exponent of the cosine")
        double power,

        @Setting(usually = "false", help = "whether it continues as a cosine after its end")
        boolean swings,

        @Setting(usually = "update", help = "unit of lengths: update, round or epoch")
        RateUnit per)
        implements Rate, CosineRateCopies {
    /** @throws IllegalArgumentException if a setting is out of its range, naming the setting and its range */
    public CosineRate {
        CosineRateCopies.check(from, to, length, begin, power);
        Limits.positive("power", power);
    }

    @Override
    public double at(TrainingProgress trainingProgress) {
        double t = Math.max(0, per.of(trainingProgress) - begin);
        double share = (swings ? t : Math.min(t, length)) / length;
        double half = (1 + StrictMath.cos(Math.PI * share)) / 2;
        return to + (from - to) * (power == 1 ? half : StrictMath.pow(half, power));
    }
}
