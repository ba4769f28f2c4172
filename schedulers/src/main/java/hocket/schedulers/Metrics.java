package hocket.schedulers;

import java.util.OptionalDouble;

/**
 * The figures that the turns of a run have reported, as series. A turn that descends reports {@code turn/loss},
 * {@code turn/gradient_norm} and {@code turn/metric}, all of before its update; one that {@link
 * Turn.Descend#measuresAfter measures again} reports {@code turn/after/loss} and {@code turn/after/metric}, too. A turn of
 * Java reports {@code turn/name}.
 */
public interface Metrics {
    /**
     * The mean of the last values of a series: of {@code window} of them, or of as many as there are; empty before the
     * first. A turn of Java may report anything under its name, so of its figures one that never comes stays empty.
     *
     * @throws IllegalArgumentException if no turn reports the series, or the window is not 1 to 1,000
     */
    OptionalDouble average(String series, int window);

    /** The last value of a series; empty before the first. Throws as {@link #average}. */
    default OptionalDouble last(String series) {
        return average(series, 1);
    }
}
