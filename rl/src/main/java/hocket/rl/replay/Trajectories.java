package hocket.rl.replay;

import hocket.schedulers.Run;

/**
 * Who gives trajectories to a learner: worlds that it steps itself, or actors elsewhere.
 */
public interface Trajectories {
    /**
     * The next one; may wait for it. A learner asks by the thread that owns its store.
     *
     * @param version of the learner's policy: how many updates it has made
     * @throws hocket.schedulers.EndedWaitingException if it is asked to end while it waits
     * @throws hocket.schedulers.WaitFailedException if none will come any more
     */
    Trajectory next(Run run, long version);

    /** Reports figures of its own, such as how many actors there are. */
    default void report(Run run) {}
}
