package hocket.schedulers;

import hocket.programs.Program;
import hocket.programs.Session;
import hocket.programs.execution.BoundProgram;
import hocket.scopes.Parameters;

/**
 * The view of a run that actions and triggers receive.
 *
 * <p>For example:
 *
 * <pre>{@code
 * scheduler.on(everyRounds(100), run -> {
 *     System.out.println("d took " + run.count("d") + " turns");
 *     run.save();
 * });
 * }</pre>
 */
public interface Run extends Metrics {
    /** Returns the position of the run. */
    Event.Position position();

    /** Returns the scheduler, for rings that act between turns. */
    Scheduler scheduler();

    /** Returns the store: for reading, and for a turn of Java to write what it {@linkplain Turn.Act#writes declares}. */
    Parameters parameters();

    /** Returns how often a turn was taken. */
    long count(String turn);

    /**
     * Returns a program bound to the store, for computations in a turn of Java: results without gradients. The first
     * call binds it; the run keeps it for later calls and frees it. Its noise differs from training's and depends on
     * its path and the counter alone, so programs that draw noise of one path should use different counters.
     *
     * @throws IllegalArgumentException if it reads parameters that the store does not hold
     */
    BoundProgram bind(Program program);

    /**
     * Returns a session that runs programs over the store outside of training, with the run's threads; it keeps
     * the newest 64 compiled programs until the run is closed. Each call restarts the noise of its programs, so that samples do not
     * depend on other readers. The caller must not close it.
     */
    Session session();

    /**
     * Reports a metric of the current turn of Java: the turn's event contains it, and schedules see it as {@code
     * turn/name}. The last value of a name in a turn counts.
     *
     * @throws IllegalStateException outside such a turn
     */
    void report(String name, double value);

    /**
     * Returns whether something is requested for the first time at this position, so that only the first of several
     * rings does it. A restored run forgets the requests.
     *
     * @param what by its equality
     */
    boolean isFirst(Object what);

    /** Sends an event to all listeners; not allowed inside a turn. */
    void emit(Event event);

    /**
     * Saves a checkpoint in the scheduler's folder.
     *
     * @throws IllegalStateException if it has none
     */
    void save();

    /**
     * Returns the current value of an optimizer setting, such as {@code d/rate}.
     *
     * @throws IllegalArgumentException if the name is unknown; the message names similar ones
     */
    double setting(String name);

    /**
     * Changes a setting, beginning with the next time that its turn is taken.
     *
     * @throws IllegalArgumentException if the name is unknown or the value is invalid; nothing has changed then
     */
    void set(String setting, double value);

    /** Asks the run to end after this round as if its budget were reached, with all actions due at the end. */
    void stop();

    /** Asks the run to end after this turn and those that are taken together with it; it can resume from there. */
    void pause();

    /** Returns the position in the round for people, such as {@code round 41 · d 3 of 5}. */
    String place();
}
