package hocket.schedulers.rings;

/** Which of the usual rings are around which: the lower, the further outside; a user's usually have 0. */
final class RingOrder {
    /** Around all, to record also how they end. */
    static final int RECORDING = -400;

    /** Around what saves, to end what has been saved. */
    static final int STOPPING = -300;

    /** Around what may change the run beside training, to save all of it. */
    static final int SAVING = -200;

    /** Within the others, so that what is saved in the same round knows of the best up to there. */
    static final int KEEPING_BEST = 200;

    private RingOrder() {}
}
