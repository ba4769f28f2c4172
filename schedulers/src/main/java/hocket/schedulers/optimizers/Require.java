package hocket.schedulers.optimizers;

import hocket.schedulers.optimizers.rates.Rate;
import hocket.schedulers.optimizers.rates.TrainingProgress;

/** The range that a rate's values must lie in. Each check names the rule, the update and the value. */
public final class Require {
    private Require() {}

    /** Returns the error in a rate's value at an update. */
    public static String badRate(String rule, long update, double rate) {
        return rule + ": the rate at update " + update + " must be finite and at least 0, was " + rate;
    }

    /** Evaluates a rate at up to 1,000 places from the first update to the last. */
    static void rates(String rule, Rate rate, TrainingProgress last) {
        long count = Math.max(1, last.update());
        TrainingProgress at = new TrainingProgress();
        for (int i = 0; i < 1000; i++) {
            long update = count <= 1000 ? Math.min(i + 1L, count) : 1 + Math.round((count - 1) * (i / 999.0));
            double share = count == 1 ? 0 : (update - 1.0) / (count - 1);
            at.set(update, Math.round(last.round() * share), last.epoch() * share);
            double value = rate.at(at);
            if (!(value >= 0 && value < Double.POSITIVE_INFINITY)) {
                throw new IllegalArgumentException(badRate(rule, update, value));
            }
        }
    }
}
