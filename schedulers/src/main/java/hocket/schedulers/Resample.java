package hocket.schedulers;

/** When a source is drawn from. */
public enum Resample {
    /** Anew for every turn that reads it. */
    EACH_TURN,
    /** Once a round: the turns of a round read the same rows. */
    EACH_ROUND
}
