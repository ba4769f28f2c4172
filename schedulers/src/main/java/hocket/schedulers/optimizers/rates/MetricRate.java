package hocket.schedulers.optimizers.rates;

/**
 * A rate that depends on a metric of the run, such as a loss. Its memory is a record of numbers, texts, enums and
 * records, which is saved with the turn.
 */
public interface MetricRate<S extends Record> extends Rate {
    /** Returns the metric: {@code d/loss} for the loss of turn d. */
    String watches();

    /** Returns its initial memory. */
    S start();

    /**
     * Returns its next memory, at an update before which the metric was reported again.
     *
     * @param value the last value of the metric
     */
    S next(S state, double value);

    /** Returns the rate of one update. */
    double at(S state, TrainingProgress trainingProgress);

    /**
     * Refuses such a rate inside another one, whose turn would not watch the metric.
     *
     * @param key the key of the inner rate, for the message
     * @throws IllegalArgumentException if the inner rate watches a metric
     */
    static void requireOutermost(String key, Rate inner) {
        if (inner instanceof MetricRate<?> watching) {
            throw new IllegalArgumentException(key + ": must not watch a metric, was " + watching + ", which watches "
                    + watching.watches() + "; such a rate is the outermost one, with the others in it: {on_plateau:"
                    + " {rate: {warm_up: …}, watches: …}}");
        }
    }

    /** Returns the rate before the first value. */
    @Override
    default double at(TrainingProgress trainingProgress) {
        return at(start(), trainingProgress);
    }
}
