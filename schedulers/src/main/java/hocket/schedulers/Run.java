package hocket.schedulers;

import hocket.scopes.Parameters;

/** A run as its actions and triggers see it. */
public interface Run {
    /** Where it is. */
    Event.Position position();

    /** The store, to be read. */
    Parameters parameters();

    /** How often a turn was taken. */
    long count(String turn);

    /**
     * Saves a checkpoint in the folder that the scheduler was given.
     *
     * @throws IllegalStateException if it was given none
     */
    void save();

    /** Asks the run to end with this round. */
    void stop();
}
