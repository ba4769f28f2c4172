package hocket.workbench.live.views;

import java.util.Locale;

/** What a run does, in a word. */
public enum RunStatus {
    STARTING,
    TRAINING,
    /** It needs rows from outside that are not there yet. */
    WAITING,
    PAUSED,
    /** Its turns are over, and what comes of them is judged. */
    SCORING,
    ENDED,
    /** Its turns are over early, and what is there is being saved. */
    STOPPING,
    /** Asked to end early; it can go on. */
    STOPPED,
    FAILED,
    /** Its folder cannot be read. */
    DAMAGED;

    /** As the network has it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
