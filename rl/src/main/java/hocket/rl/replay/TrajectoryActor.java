package hocket.rl.replay;

import hocket.programs.BoundProgram;
import hocket.programs.Lowering;
import hocket.programs.Program;
import hocket.rl.actors.Worlds;
import hocket.rl.envs.SeedSequence;
import hocket.schedulers.Setup;
import hocket.scopes.Parameters;
import java.util.TreeSet;

/**
 * An actor: steps worlds of its own by the newest policy that it can get, and makes trajectories of it. It has a store of its
 * own, of which it needs only what the policy reads. Used by one thread, which computes alone; close it after use.
 */
public final class TrajectoryActor implements AutoCloseable {
    private static final int ACTORS = 500;

    private final Worlds worlds;
    private final Unroll unroll;
    private final Parameters parameters;
    private final BoundProgram acting;
    private final BoundProgram behaviour;
    private long version = PolicyFeed.NONE;

    /**
     * An actor for a learner that is built alike.
     *
     * @param setup that nobody has begun
     * @param batch its turn that takes trajectories
     * @param seed of its worlds and choices, of {@link #seed}
     */
    public TrajectoryActor(Setup setup, TrajectoryBatch batch, long seed) {
        worlds = batch.worlds();
        unroll = batch.acting().unroll(worlds);
        parameters = setup.initialise(seed);
        acting = bound(batch.acting().policy().program());
        behaviour = bound(batch.acting().behaviour());
    }

    private BoundProgram bound(Program program) {
        return new BoundProgram(program, parameters, Lowering.of(program), 1, new TreeSet<>(), "actor/");
    }

    /**
     * A seed for an actor, another one for each of these: so that one which takes a lost one's place plays other episodes, and
     * so does one of a run that goes on.
     *
     * @param seed of the run, 0 to 2^62 - 1
     * @param rank of the actor, from 0
     * @param generation how many actors this rank has had before
     * @param version of the learner's policy when the actor begins
     */
    public static long seed(long seed, int rank, int generation, long version) {
        SeedSequence sequence = SeedSequence.of(seed).child(ACTORS).child(rank).child(generation);
        int high = (int) (version >>> 31);
        return sequence.child(high).child((int) (version & Integer.MAX_VALUE)).longs(1)[0] >>> 2;
    }

    /** The next trajectory, by the newest policy. */
    public Trajectory next(PolicyFeed feed) {
        feed.newerThan(version).ifPresent(policy -> {
            parameters.restore(policy.parameters());
            version = policy.version();
        });
        worlds.begin(parameters);
        unroll.step(acting);
        return unroll.trajectory(version, behaviour);
    }

    @Override
    public void close() {
        acting.close();
        behaviour.close();
        parameters.close();
    }
}
