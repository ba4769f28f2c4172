package hocket.schedulers;

import hocket.scopes.Stream;

/** What a schedule sees of the run so far. */
public interface ScheduleView extends Metrics {
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
