package hocket.workbench.training;

/**
 * The order of the rings around a run, from the outermost to the innermost. {@link #SCHEDULER} adds the scheduler's
 * rings, which wrap rounds and turns.
 */
public enum RunRingOrder {
    /** Says what a request to stop does, before the first turn and after the last. */
    STOP,
    /** Locks the folder, so that this run alone writes there. */
    FOLDER,
    /** Joins the other processes of the run and tells them how this one ends. */
    CLUSTER,
    /** Opens the queues of rows from outside. */
    ROWS,
    /** Records the experiment, the software and the data of the run. */
    PROVENANCE,
    /** Writes event files for TensorBoard. */
    TENSORBOARD,
    /** Records metrics, pictures and the log, and writes the journal of commands. */
    RECORDS,
    /** Copies warnings that are logged to the run's log. */
    WARNINGS,
    /** Adds the scheduler's rings: saving, metrics, progress, scores. */
    SCHEDULER,
    /** Lets a Java program append the first rows to the queues. */
    FIRST_ROWS,
    /** Says where a run failed, what is lost and how it is resumed. */
    FAILURE,
    /** Shows the run to observers, such as the live page. */
    OBSERVERS,
    /** Shows the progress of a runner that takes no turns. */
    DISPLAY
}
