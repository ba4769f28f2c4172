package hocket.schedulers.optimizers.rates;

import hocket.schedulers.settings.Setting;
import java.util.List;

/**
 * Constant rates one after the other, as Optax's {@code piecewise_constant_schedule}, which is given their ratios.
 *
 * @param rates the rates, one more than places
 * @param at where the next begins: how much is over then; rising
 * @param per the unit of lengths
 */
public record PiecewiseRate(
        @Setting(least = 0, most = 1e6, help = "the rates, one more than the boundaries")
        List<Double> rates,

        @Setting(least = 0, help = "the boundaries") List<Long> at,

        @Setting(usually = "update", help = "unit of lengths: update, round or epoch")
        RateUnit per)
        implements Rate, PiecewiseRateCopies {
    /** @throws IllegalArgumentException if a setting is out of its range, naming the setting and its range */
    public PiecewiseRate {
        rates = List.copyOf(rates);
        at = List.copyOf(at);
        PiecewiseRateCopies.check(rates, at);
        for (int i = 1; i < at.size(); i++) {
            if (at.get(i) <= at.get(i - 1)) {
                throw new IllegalArgumentException("at: must rise, was " + at);
            }
        }
        if (rates.size() != at.size() + 1) {
            throw new IllegalArgumentException("rates: must be one more than the places where they change, were "
                    + rates.size() + " and " + at.size());
        }
    }

    @Override
    public double at(TrainingProgress trainingProgress) {
        double t = per.of(trainingProgress);
        int piece = 0;
        while (piece < at.size() && t >= at.get(piece)) {
            piece++;
        }
        return rates.get(piece);
    }
}
