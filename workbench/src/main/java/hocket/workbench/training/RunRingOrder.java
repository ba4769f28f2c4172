package hocket.workbench.training;

/**
 * The order of the rings around a run, from the outermost on: each is around all that stand below it. The rings of the
 * scheduler, which are around rounds and turns, are put around training by {@link #SCHEDULER}.
 */
public enum RunRingOrder {
    /** Says what a request to stop leads to before the first turn, and after the last. */
    STOP,
    /** Locks the folder, so that this run alone writes there. */
    FOLDER,
    /** Joins the other processes of the run, and tells them how this one ends. */
    CLUSTER,
    /** Opens the queues of rows that come from outside. */
    ROWS,
    /** Writes down what is run, by which software and from which data. */
    PROVENANCE,
    /** Writes event files for TensorBoard. */
    TENSORBOARD,
    /** Records metrics, pictures and the log, and keeps the journal of commands. */
    RECORDS,
    /** Puts the rings of the scheduler around training: saving, figures, progress, scores. */
    SCHEDULER,
    /** Lets Java append the first rows to the queues. */
    FIRST_ROWS,
    /** Says where a run failed, what is lost and how it is resumed. */
    FAILURE,
    /** Shows the run to observers, such as the live page. */
    OBSERVERS,
    /** Shows how far a runner is that takes no turns. */
    DISPLAY
}
