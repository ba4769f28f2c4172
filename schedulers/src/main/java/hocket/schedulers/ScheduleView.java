package hocket.schedulers;

import hocket.scopes.Stream;

/**
 * The view of the run so far that a schedule receives.
 *
 * <p>For example:
 *
 * <pre>{@code
 * Count untilGood = view -> view.average("d/loss", 50).orElse(1) > 0.5 ? 5 : 1;
 * }</pre>
 */
public interface ScheduleView extends Metrics {
    /** Returns how often a turn was taken. */
    long count(String turn);

    /** Returns the number of turns taken so far. */
    long step();

    /** Returns the number of rounds completed so far. */
    long round();

    /**
     * Returns the epochs of a source so far: 2.5 in the middle of the third one.
     *
     * @param source its name, or that of one of its columns
     * @throws IllegalArgumentException if there is none
     */
    double epoch(String source);

    /**
     * Returns the current value of a setting, such as {@code d/rate}.
     *
     * @throws IllegalArgumentException if no turn has it; the message names similar ones
     */
    double setting(String name);

    /** Returns a random stream for this schedule alone; draw at counter {@link #step}. */
    Stream random();

    /** Returns the random stream of a name, for parts of plans that draw. */
    Stream random(String name);
}
