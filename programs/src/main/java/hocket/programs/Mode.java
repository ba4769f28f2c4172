package hocket.programs;

/** The mode of layers that behave differently in training and evaluation. */
public enum Mode {
    /** Batch norms use the batch, dropout drops. */
    TRAIN,
    /** Batch norms use their running values, dropout does nothing. */
    EVAL
}
