package hocket.programs;

/** Whether layers that differ between training and use behave the one way or the other. */
public enum Mode {
    /** Batch norms use the batch, dropout drops. */
    TRAIN,
    /** Batch norms use their running values, dropout does nothing. */
    EVAL
}
