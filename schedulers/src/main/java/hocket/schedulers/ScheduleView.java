package hocket.schedulers;

import hocket.scopes.Stream;
import java.util.OptionalDouble;

/** What a schedule sees of the run so far. Series are called {@code turn/loss}, {@code turn/gradient_norm} or {@code turn/metric}. */
public interface ScheduleView {
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

    /** How often a turn was taken. */
    long count(String turn);

    /** Turns taken so far. */
    long step();

    /** Rounds completed so far. */
    long round();

    /**
     * How often all rows of a source were drawn: 2.5 in the middle of the third epoch.
     *
     * @param source its name, or that of one of its columns
     * @throws IllegalArgumentException if there is none
     */
    double epoch(String source);

    /**
     * What a setting is now, such as {@code d/rate}.
     *
     * @throws IllegalArgumentException if no turn has it, naming what is near
     */
    double setting(String name);

    /** A stream of random numbers of the schedule's own; draw at counter {@link #step}. */
    Stream random();

    /** A stream of a name, for parts of plans that draw. */
    Stream random(String name);
}
