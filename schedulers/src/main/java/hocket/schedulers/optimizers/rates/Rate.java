package hocket.schedulers.optimizers.rates;

import hocket.schedulers.settings.Keyed;
import hocket.schedulers.settings.Keys;
import java.util.ArrayList;
import java.util.List;

/**
 * The learning rate as a function of where training is. In a file a number, {@code {linear: {from: 1e-3, to: 0, length:
 * 1000}}}, or a user's class.
 */
@FunctionalInterface
@Keyed(plain = ConstantRate.class)
public interface Rate {
    /** Returns the rate of one update, finite and at least 0. */
    double at(TrainingProgress trainingProgress);

    /** Returns the form that a plan prints. */
    default String describe() {
        if (!(this instanceof Record)) {
            return "a function of the update";
        }
        List<String> words = new ArrayList<>(List.of(Keys.of(getClass(), Rate.class)));
        Keys.values(this).forEach((key, value) -> {
            if (value != RateUnit.UPDATE && !value.equals(false)) {
                words.add(value.equals(true) ? key : key + " " + (value instanceof Rate r ? r.describe() : value));
            }
        });
        return String.join(" ", words).toLowerCase(java.util.Locale.ROOT);
    }

    /**
     * Returns a constant rate.
     *
     * @throws IllegalArgumentException if the value is negative or not finite
     */
    static Rate constant(double value) {
        return new ConstantRate(value);
    }

    /**
     * {@code start} for the first {@code begin} updates, then in a straight line to {@code end} over {@code length}
     * updates, then {@code end}. As Optax's {@code linear_schedule}.
     *
     * @throws IllegalArgumentException if a rate is negative or not finite, or a number of updates below 0 or 1
     */
    static Rate linear(double start, double end, long begin, long length) {
        return new LinearRate(start, end, begin, length, RateUnit.UPDATE);
    }
}
