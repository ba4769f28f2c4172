package hocket.schedulers;

import hocket.programs.Program;
import hocket.programs.Session;
import hocket.programs.execution.BoundProgram;
import hocket.scopes.Parameters;

/** A run as its actions and triggers see it. */
public interface Run extends Metrics {
    /** Where it is. */
    Event.Position position();

    /** What takes its turns: for what rings do between them. */
    Scheduler scheduler();

    /** The store, to be read. */
    Parameters parameters();

    /** How often a turn was taken. */
    long count(String turn);

    /**
     * A program on the store, for what a turn of Java computes: its results, no gradients. Bound when it is first asked
     * for; the run keeps it for further asks and frees it. The noise it draws is another than training's, and follows from
     * its path and the counter alone: programs that draw noise of one path should not count alike.
     *
     * @throws IllegalArgumentException if it reads parameters that the store does not hold
     */
    BoundProgram bind(Program program);

    /**
     * What looks at the store beside training: a session for programs, with the run's threads, which keeps what it compiled
     * until the run is closed. The noise of its programs begins anew each time that this is called, so that what one draws
     * does not depend on who else looked. Not to be closed.
     */
    Session session();

    /**
     * Says a figure of the turn of Java that is being taken: it goes with the turn's event, and schedules see it as the
     * series {@code turn/name}. A name that comes twice in one turn counts with its last value.
     *
     * @throws IllegalStateException outside such a turn
     */
    void report(String name, double value);

    /**
     * Whether something is asked for the first time at this place of the run: what several rings would do in one round is
     * done by the first. A run that goes back forgets.
     *
     * @param what by its equality
     */
    boolean isFirst(Object what);

    /** Tells all who listen what happened beside training; not inside a turn. */
    void emit(Event event);

    /**
     * Saves a checkpoint in the folder that the scheduler was given.
     *
     * @throws IllegalStateException if it was given none
     */
    void save();

    /**
     * What a setting of a turn's rules is now, such as {@code d/rate}.
     *
     * @throws IllegalArgumentException if there is none of that name, naming what is near
     */
    double setting(String name);

    /**
     * Changes a setting from its turn's next time on.
     *
     * @throws IllegalArgumentException if there is none of that name, or it does not take the value; then nothing has
     *     changed
     */
    void set(String setting, double value);

    /** Asks the run to end with this round, as if its budget were reached: what is due at the end is done, such as a checkpoint. */
    void stop();

    /** Asks the run to end with this turn, or with those that are taken together with it; it can go on from there. */
    void pause();

    /** Where it stands in its round, for people, such as {@code round 41 · d 3 of 5}. */
    String place();
}
