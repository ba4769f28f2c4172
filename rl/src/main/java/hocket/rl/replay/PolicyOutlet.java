package hocket.rl.replay;

/** Where a learner leaves its policy for actors: the other end of a {@link PolicyFeed}. Used by the learner's thread. */
@FunctionalInterface
public interface PolicyOutlet {
    /** Gives away a policy that is newer than all before; returns at once. */
    void publish(PolicyCopy policy);
}
