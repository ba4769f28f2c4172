package hocket.rl.replay;

import java.util.Optional;

/** Where an actor gets its policy. Used by the actor's thread. */
public interface PolicyFeed {
    /** The version of who has none yet. */
    long NONE = -1;

    /**
     * The newest policy, if it is newer than one that is there already. Who has {@link #NONE} waits until there is one; nobody
     * else waits for an update.
     *
     * @param version that is there
     */
    Optional<PolicyCopy> newerThan(long version);
}
