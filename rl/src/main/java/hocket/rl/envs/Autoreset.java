package hocket.rl.envs;

/** When a vector of environments begins the next episode of one that has ended, as in Gymnasium's {@code AutoresetMode}. */
public enum Autoreset {
    /** The step after the last is the reset: its action is ignored, its reward 0. The last observation is seen as any other. */
    NEXT_STEP,
    /** At once: observed is the next episode's start, the last observation is among the final ones. */
    SAME_STEP,
    /** Not by itself: a step while an episode has ended is refused. */
    DISABLED
}
