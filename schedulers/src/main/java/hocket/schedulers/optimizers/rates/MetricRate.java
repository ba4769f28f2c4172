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
     * Returns its next memory.
     *
     * @param value the last value of the metric before an update
     */
    S next(S state, double value);

    /** Returns the rate of one update. */
    double at(S state, TrainingProgress trainingProgress);

    /** Returns the rate before the first value. */
    @Override
    default double at(TrainingProgress trainingProgress) {
        return at(start(), trainingProgress);
    }
}
