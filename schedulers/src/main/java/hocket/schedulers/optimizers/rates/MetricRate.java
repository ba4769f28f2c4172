package hocket.schedulers.optimizers.rates;

/**
 * A rate that follows a series of the run, such as a loss. What it remembers is a record of numbers, texts, enums and
 * records, which is saved with the turn.
 */
public interface MetricRate<S extends Record> extends Rate {
    /** The series: {@code d/loss} for the loss of turn d. */
    String watches();

    /** What it remembers at first. */
    S start();

    /**
     * What it remembers next.
     *
     * @param value the last value of the series before an update
     */
    S next(S state, double value);

    /** The rate of one update. */
    double at(S state, TrainingProgress trainingProgress);

    /** The rate while nothing was seen. */
    @Override
    default double at(TrainingProgress trainingProgress) {
        return at(start(), trainingProgress);
    }
}
