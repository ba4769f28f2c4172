package hocket.schedulers.flow;

/** The result of a step, which says what follows. */
public enum StepResult {
    /** Continues with the next step. */
    NEXT,
    /** Repeats the step. */
    AGAIN,
    /** Skips to the terminal step. */
    TERMINAL,
    /** Ends the flow. */
    END
}
