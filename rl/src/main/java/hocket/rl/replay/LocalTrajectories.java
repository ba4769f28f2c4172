package hocket.rl.replay;

import hocket.programs.execution.BoundProgram;
import hocket.rl.actors.TrainingEnvironments;
import hocket.schedulers.Run;

/** Trajectories of environments that the learner steps itself, by a policy that is some updates old. */
public final class LocalTrajectories implements TrajectorySource {
    private final TrainingEnvironments environments;
    private final ActorSettings settings;
    private final Unroll unroll;
    private final int lag;

    /**
     * @param settings of the actor
     * @param lag the number of updates between renewals of the acting policy; 0 if the trained policy itself acts
     */
    public LocalTrajectories(TrainingEnvironments environments, ActorSettings settings, int lag) {
        this.environments = environments;
        this.settings = settings;
        this.lag = lag;
        unroll = settings.unroll(environments);
    }

    @Override
    public Trajectory next(Run run, long version) {
        environments.begin(run);
        BoundProgram behaviour = run.bind(settings.behaviour());
        unroll.step(run.bind(settings.policy().program()));
        return unroll.trajectory(renewed(version), behaviour);
    }

    /** The version of the policy at its last renewal. */
    private long renewed(long version) {
        return lag == 0 ? version : Math.max(0, version / lag * lag - 1);
    }
}
