package hocket.schedulers;

/** What a person, or a program in a person's place, asks of a run that is under way; see {@link Steering}. */
public sealed interface Command {
    /** Waits between turns until {@link Resume} or {@link Step}. */
    record Pause() implements Command {}

    /** Goes on after a pause. */
    record Resume() implements Command {}

    /** How far {@link Step} goes. */
    enum Unit {
        /** A turn, or several that are taken together; a trial is taken whole. */
        TURN,
        /** To the end of the round that the run is in, or of the next one where it is between two. */
        ROUND
    }

    /** Goes on for one turn or round, and pauses then. */
    record Step(Unit unit) implements Command {}

    /** Writes a checkpoint, and waits until it is on the disk. */
    record Save() implements Command {}

    /** Ends the run with this turn; it can go on from there. */
    record Stop() implements Command {}

    /** A run that was stopped by {@link Stop} goes on: it was not the end. */
    record Start() implements Command {}

    /**
     * Changes a setting of a turn's rules from the turn's next time on, as {@link Run#set}.
     *
     * @param setting such as {@code d/rate}
     */
    record Change(String setting, double value) implements Command {}

    /**
     * Sets another plan of the phase that the run is in, from the next round on. Its turns are those of the run.
     *
     * @param plan as it is written; who reads it is said by {@link Scheduler#plansReadBy}
     */
    record Replan(String plan) implements Command {}

    /**
     * Saves, so that another run can begin here; copying it is the business of who asks.
     *
     * @param into the other run, for the journal
     */
    record Fork(String into) implements Command {}
}
