package hocket.schedulers;

import java.util.OptionalDouble;

/**
 * The metrics that the turns of a run have reported. A descending turn reports {@code turn/loss}, {@code
 * turn/gradient_norm} and {@code turn/metric}, all from before its update; one that {@link Turn.Descend#measuresAfter
 * measures again} reports {@code turn/after/loss} and {@code turn/after/metric}, too. A turn of Java reports {@code
 * turn/name}.
 *
 * <p>For example:
 *
 * <pre>{@code
 * double loss = run.average("d/loss", 50).orElse(Double.NaN); // empty before the first
 * }</pre>
 */
public interface Metrics {
    /**
     * Returns the mean of the last {@code window} values of a metric, or of all where there are fewer; empty before the
     * first. A turn of Java may report any name, so a metric that it never reports stays empty.
     *
     * @throws IllegalArgumentException if no turn reports the metric, or the window is not 1 to 1,000
     */
    OptionalDouble average(String series, int window);

    /**
     * Returns how often a metric was reported, so that a condition need not look at a value twice.
     *
     * @throws IllegalArgumentException if no turn reports the metric
     */
    long reports(String series);

    /** Returns the last value of a metric; empty before the first. Throws as {@link #average}. */
    default OptionalDouble last(String series) {
        return average(series, 1);
    }
}
