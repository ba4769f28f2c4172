package hocket.rl.replay;

import hocket.programs.BoundProgram;
import hocket.rl.actors.Worlds;
import hocket.schedulers.Run;

/** Trajectories of worlds that the learner steps itself, by a policy that is some updates behind. */
public final class OwnTrajectories implements Trajectories {
    private final Worlds worlds;
    private final Acting acting;
    private final Unroll unroll;
    private final int lag;

    /**
     * @param acting what acts
     * @param lag it is renewed before every so many updates; 0 if it is the policy that is trained
     */
    public OwnTrajectories(Worlds worlds, Acting acting, int lag) {
        this.worlds = worlds;
        this.acting = acting;
        this.lag = lag;
        unroll = acting.unroll(worlds);
    }

    @Override
    public Trajectory next(Run run, long version) {
        worlds.begin(run);
        BoundProgram behaviour = run.bind(acting.behaviour());
        unroll.step(run.bind(acting.policy().program()));
        return unroll.trajectory(renewed(version), behaviour);
    }

    /** The version that the policy was when it was renewed last. */
    private long renewed(long version) {
        return lag == 0 ? version : Math.max(0, version / lag * lag - 1);
    }
}
