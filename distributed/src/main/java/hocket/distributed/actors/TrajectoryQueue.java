package hocket.distributed.actors;

import hocket.rl.replay.PolicyPublisher;
import hocket.rl.replay.PolicySnapshot;
import hocket.rl.replay.Trajectory;
import hocket.rl.replay.TrajectorySource;
import hocket.schedulers.Run;
import hocket.schedulers.feeds.WaitCancelledException;
import hocket.schedulers.feeds.WaitFailedException;
import hocket.scopes.Path;
import hocket.scopes.Selection;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A queue of trajectories from actors to the learner, which publishes its policy to them. It holds as many as there are
 * credits: an actor may send one more after one of its own was taken.
 */
final class TrajectoryQueue implements TrajectorySource {
    private static final long LOOK_MILLIS = 100;
    private static final long NANOS = 1_000_000_000;

    /** Returns the number of actors, and how many trajectories they may have sent together. */
    interface Actors {
        int alive();

        int credits();

        /** Called after the learner has waited for this time. */
        void awaited(long seconds);
    }

    private record Arrived(Trajectory trajectory, Runnable taken) {}

    private final Queue<Arrived> waiting = new ArrayDeque<>();
    private final PolicyPublisher outlet;
    private final Selection policy;
    private final Actors actors;
    private final BooleanSupplier asked;
    private final LongSupplier nanos;
    private @Nullable String failure;
    private long published = -1;
    private long steps;
    private long since;
    private long stepsSince;
    private double rate = Double.NaN;

    /**
     * @param outlet receives the policy after each update
     * @param policy paths that the policy reads
     * @param asked whether the learner has another request to handle while it waits
     * @param nanos a monotonic clock
     */
    TrajectoryQueue(
            PolicyPublisher outlet, Set<Path> policy, Actors actors, BooleanSupplier asked, LongSupplier nanos) {
        this.outlet = outlet;
        this.policy = Selection.of(policy.stream().map(Path::text).collect(Collectors.joining(", ")));
        this.actors = actors;
        this.asked = asked;
        this.nanos = nanos;
        since = nanos.getAsLong();
    }

    /**
     * Adds a trajectory. Used by any thread.
     *
     * @param taken is called when the learner has taken it
     */
    synchronized void add(Trajectory trajectory, Runnable taken) {
        waiting.add(new Arrived(trajectory, taken));
        notifyAll();
    }

    /** Marks the end of all trajectories: a waiting learner fails. */
    synchronized void fail(String why) {
        failure = why;
        notifyAll();
    }

    /** Returns the number of waiting trajectories. */
    synchronized int size() {
        return waiting.size();
    }

    @Override
    public Trajectory next(Run run, long version) {
        if (version > published) {
            published = version;
            outlet.publish(new PolicySnapshot(version, run.parameters().snapshot(policy)));
        }
        return take();
    }

    /** Returns the oldest trajectory; waits for one. Throws as {@link #next}. */
    Trajectory take() {
        Arrived next = await();
        next.taken().run();
        steps += next.trajectory().rows();
        return next.trajectory();
    }

    private synchronized Arrived await() {
        long began = nanos.getAsLong();
        while (waiting.isEmpty()) {
            if (failure != null) {
                throw new WaitFailedException(failure);
            } else if (asked.getAsBoolean()) {
                throw new WaitCancelledException("trajectories");
            }
            try {
                wait(LOOK_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new WaitCancelledException("trajectories");
            }
            actors.awaited((nanos.getAsLong() - began) / NANOS);
        }
        return waiting.remove();
    }

    /**
     * Reports the number of actors, how full the queue is (0 to 1), and environment steps a second in the last seconds.
     */
    @Override
    public void report(Run run) {
        long now = nanos.getAsLong();
        if (now - since >= NANOS) {
            rate = (double) (steps - stepsSince) * NANOS / (now - since);
            since = now;
            stepsSince = steps;
        }
        run.report("actors", actors.alive());
        run.report("queue", Math.min(1, size() / (double) Math.max(1, actors.credits())));
        if (!Double.isNaN(rate)) {
            run.report("steps_per_second", rate);
        }
    }
}
