package hocket.schedulers.optimizers.rates;

import hocket.schedulers.settings.Setting;
import java.util.List;

/**
 * A rate that is multiplied by a factor at each of some places, as PyTorch's {@code MultiStepLR}.
 *
 * @param from the rate at first
 * @param at where it changes: how much is over then
 * @param factor factor of each change, at least 0
 * @param per the unit of lengths
 */
public record MultiStepRate(
        @Setting(least = 0, most = 1e6, help = "the initial rate")
        double from,

        @Setting(least = 0, help = "where it changes") List<Long> at,

        @Setting(usually = "0.1", least = 0, help = "factor of each change")
        double factor,

        @Setting(usually = "update", help = "unit of lengths: update, round or epoch")
        RateUnit per)
        implements Rate, MultiStepRateCopies {
    /** @throws IllegalArgumentException if a setting is out of its range, naming the setting and its range */
    public MultiStepRate {
        MultiStepRateCopies.check(from, at, factor);
        at = List.copyOf(at);
    }

    @Override
    public double at(TrainingProgress trainingProgress) {
        double t = per.of(trainingProgress);
        double value = from;
        for (int i = 0; i < at.size(); i++) {
            value *= t >= at.get(i) ? factor : 1;
        }
        return value;
    }
}
