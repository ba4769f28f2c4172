package hocket.workbench.live.views;

import java.util.Locale;

/** The status of a run, as one word. */
public enum RunStatus {
    STARTING,
    TRAINING,
    /** The run waits for rows from outside. */
    WAITING,
    PAUSED,
    /** Training is over, and the result is evaluated. */
    SCORING,
    ENDED,
    /** Training was stopped early, and its state is being saved. */
    STOPPING,
    /** The run was stopped early and can be resumed. */
    STOPPED,
    FAILED,
    /** The run's folder cannot be read. */
    DAMAGED;

    /** Returns its name in the HTTP API. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
