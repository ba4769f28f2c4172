package hocket.rl.replay;

/** Publishes a learner's policies to actors, which read them by a {@link PolicyFeed}. Used by the learner's thread. */
@FunctionalInterface
public interface PolicyPublisher {
    /** Publishes a policy that is newer than all before; returns at once. */
    void publish(PolicySnapshot policy);
}
