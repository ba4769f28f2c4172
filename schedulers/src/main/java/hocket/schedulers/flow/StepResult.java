package hocket.schedulers.flow;

/** What comes after a step. */
public enum StepResult {
    /** The step after it. */
    NEXT,
    /** The same step once more. */
    AGAIN,
    /** The terminal step, whatever is between. */
    TERMINAL,
    /** Nothing. */
    END
}
