package hocket.rl.envs;

/** The time at which a vector environment resets an ended environment: Gymnasium's {@code AutoresetMode}. */
public enum Autoreset {
    /**
     * The step after the last one resets: its action is ignored and its reward is 0. The last observation is an
     * ordinary one.
     */
    NEXT_STEP,
    /**
     * The last step resets: the observation is the next episode's first, and the last one is among the final
     * observations.
     */
    SAME_STEP,
    /** Nothing resets by itself: a step after the end of an episode fails. */
    DISABLED
}
