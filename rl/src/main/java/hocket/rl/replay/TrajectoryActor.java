package hocket.rl.replay;

import hocket.programs.Program;
import hocket.programs.execution.BoundProgram;
import hocket.programs.execution.Lowering;
import hocket.rl.actors.TrainingEnvironments;
import hocket.rl.random.SeedSequence;
import hocket.schedulers.Setup;
import hocket.scopes.Parameters;
import java.util.TreeSet;

/**
 * An actor that steps its own environments by the newest available policy and makes trajectories. Its store holds only
 * the parameters that the policy reads. Used by one thread, which computes alone; close it after use.
 */
public final class TrajectoryActor implements AutoCloseable {
    private static final int ACTORS = 500;

    private final TrainingEnvironments environments;
    private final Unroll unroll;
    private final Parameters parameters;
    private final BoundProgram acting;
    private final BoundProgram behaviour;
    private long version = PolicyFeed.NONE;

    /**
     * Makes an actor for a learner with the same definition.
     *
     * @param setup a setup that was not started
     * @param batch the learner's turn that takes trajectories
     * @param seed of its environments and actions, by {@link #seed}
     */
    public TrajectoryActor(Setup setup, TrajectoryBatch batch, long seed) {
        environments = batch.environments();
        unroll = batch.actorSettings().unroll(environments);
        parameters = setup.initialise(seed);
        acting = bound(batch.actorSettings().policy().program());
        behaviour = bound(batch.actorSettings().behaviour());
    }

    private BoundProgram bound(Program program) {
        return new BoundProgram(program, parameters, Lowering.of(program), 1, new TreeSet<>(), "actor/");
    }

    /**
     * The seed of an actor, different for each combination of arguments, so that a replacement of a lost actor, or an
     * actor of a resumed run, plays other episodes.
     *
     * @param seed of the run, 0 to 2^62 - 1
     * @param rank of the actor, from 0
     * @param generation the number of earlier actors of this rank
     * @param version of the learner's policy when the actor starts
     */
    public static long seed(long seed, int rank, int generation, long version) {
        SeedSequence sequence = SeedSequence.of(seed).child(ACTORS).child(rank).child(generation);
        int high = (int) (version >>> 31);
        return sequence.child(high).child((int) (version & Integer.MAX_VALUE)).longs(1)[0] >>> 2;
    }

    /** Makes the next trajectory, by the newest policy. */
    public Trajectory next(PolicyFeed feed) {
        feed.newerThan(version).ifPresent(policy -> {
            parameters.restore(policy.parameters());
            version = policy.version();
        });
        environments.begin(parameters);
        unroll.step(acting);
        return unroll.trajectory(version, behaviour);
    }

    @Override
    public void close() {
        acting.close();
        behaviour.close();
        parameters.close();
        environments.close();
    }
}
