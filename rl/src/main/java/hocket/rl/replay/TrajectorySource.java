package hocket.rl.replay;

import hocket.schedulers.Run;

/** A source of trajectories for a learner: environments that it steps itself, or actors in other processes. */
public interface TrajectorySource {
    /**
     * The next trajectory; may wait for it. Called by the thread that owns the learner's store.
     *
     * @param version of the learner's policy: the number of updates so far
     * @throws hocket.schedulers.feeds.WaitCancelledException if the run is asked to end while this waits
     * @throws hocket.schedulers.feeds.WaitFailedException if no more trajectories will come
     */
    Trajectory next(Run run, long version);

    /** Reports metrics of the source, such as the number of actors. */
    default void report(Run run) {}
}
