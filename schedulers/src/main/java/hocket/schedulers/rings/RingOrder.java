package hocket.schedulers.rings;

/** The nesting of built-in rings: lower orders are further outside; users' rings usually have 0. */
final class RingOrder {
    /** Outside all others, to record their ends too. */
    static final int RECORDING = -400;

    /** Outside the rings that save, to finish their checkpoints. */
    static final int STOPPING = -300;

    /** Outside rings that may change the run, to save their changes. */
    static final int SAVING = -200;

    /** Inside the others, so that a checkpoint of the same round includes the best so far. */
    static final int KEEPING_BEST = 200;

    private RingOrder() {}
}
