package hocket.schedulers.optimizers.rates;

import hocket.schedulers.optimizers.Convention;
import hocket.schedulers.settings.Setting;

/**
 * The one-cycle policy (Smith and Topin 2018, Super-Convergence): from peak/divide up to the peak, and down to
 * peak/divide/divideEnd, in one fall or, as {@code threePhases}, back to the start first. PyTorch's {@code OneCycleLR} ends
 * its phases an update earlier than Optax's schedules; its second of three is as long as the first, Optax's ends at
 * {@code fall} of the whole.
 *
 * @param peak the largest rate
 * @param length how much it takes, at least 1
 * @param rise share of the whole that the rise takes, in [0, 1]
 * @param linear straight lines instead of half cosines
 * @param threePhases whether it goes back to the start before the end
 * @param fall share of the whole where the second of three phases ends, in Optax
 * @param divide the peak over the rate at first, above 0
 * @param divideEnd the rate at first over that at the end, above 0
 * @param as the library whose formula is used
 * @param per the unit of lengths
 */
public record OneCycleRate(
        @Setting(least = 0, most = 1e6, help = "the largest rate")
        double peak,

        @Setting(least = 1, help = "length, counted by per") long length,

        @Setting(usually = "0.3", least = 0, most = 1, help = "share of the length for the rise")
        double rise,

        @Setting(usually = "false", help = "straight lines instead of cosines")
        boolean linear,

        @Setting(usually = "false", help = "whether the rate returns to its start before the end")
        boolean threePhases,

        @Setting(
                usually = "0.85",
                least = 0,
                most = 1,
                help = "share of the length at the end of the second of three phases, as in Optax")
        double fall,

        @Setting(usually = "25", least = 1e-9, help = "the peak divided by the initial rate")
        double divide,

        @Setting(usually = "1e4", least = 1e-9, help = "the initial rate divided by the final one")
        double divideEnd,

        @Setting(usually = "pytorch", help = "convention: pytorch or optax")
        Convention as,

        @Setting(usually = "update", help = "unit of lengths: update, round or epoch")
        RateUnit per)
        implements Rate, OneCycleRateCopies {
    /** @throws IllegalArgumentException if a setting is out of its range, naming the setting and its range */
    public OneCycleRate {
        OneCycleRateCopies.check(peak, length, rise, fall, divide, divideEnd);
    }

    @Override
    public double at(TrainingProgress trainingProgress) {
        double t = Math.max(0, per.of(trainingProgress));
        boolean isTorch = as == Convention.PYTORCH;
        double start = peak / divide;
        double end = start / divideEnd;
        double up = isTorch ? rise * length - 1 : Math.floor(rise * length);
        double down = isTorch ? 2 * rise * length - 2 : Math.floor(fall * length);
        double last = isTorch ? length - 1 : length;
        if (t < up) {
            return between(start, peak, t / up);
        } else if (!threePhases) {
            return between(peak, end, share(t, up, last));
        }
        return t < down ? between(peak, start, share(t, up, down)) : between(start, end, share(t, down, last));
    }

    /** Returns the share of a phase that is over; all of an empty one. */
    private static double share(double t, double from, double to) {
        return to > from ? (t - from) / (to - from) : 1;
    }

    private double between(double one, double other, double share) {
        double s = Math.min(1, share);
        return linear ? one + (other - one) * s : other + (one - other) / 2 * (1 + StrictMath.cos(Math.PI * s));
    }
}
