package hocket.programs;

/**
 * The mode of layers that behave differently in training and evaluation.
 *
 * <p>For example:
 *
 * <pre>{@code
 * Program train = Program.compile("d_step", Mode.TRAIN, mean(discriminator.apply(real)));
 * Program evaluate = train.in(Mode.EVAL); // dropout off, running statistics
 * }</pre>
 */
public enum Mode {
    /** Batch norms use the batch, dropout drops. */
    TRAIN,
    /** Batch norms use their running values, dropout does nothing. */
    EVAL
}
