package hocket.rl.replay;

import java.util.Optional;

/** A source of the newest policy for an actor. Used by the actor's thread. */
public interface PolicyFeed {
    /** The version of an actor that has no policy yet. */
    long NONE = -1;

    /**
     * The newest policy, if it is newer than a given version. Only a caller with {@link #NONE} waits, until there is a
     * policy.
     *
     * @param version the version the caller has
     */
    Optional<PolicySnapshot> newerThan(long version);
}
