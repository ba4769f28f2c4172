package hocket.programs.execution;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Threads that do one task at a time in parts, the calling thread among them: it opens a phase, does the first part and
 * whatever others have not begun by then, and returns when all parts are done. So a machine that is busy elsewhere makes
 * a phase no slower than one thread would. No part is done twice, or by two threads.
 *
 * <p>Between phases the others look out for the next one for a moment, some 30 µs, and then park; an empty phase of two
 * takes about 0.1 µs while they look, and some µs more to wake them. They are daemons. Phases allocate nothing. There is
 * one phase at a time: who opens another meanwhile does all of its parts alone.
 *
 * <p>One team of a size serves the whole process, so that products and optimizers, which take turns, find the same
 * threads awake. Workers that compute at the same time have a team each, so that none of them finds a phase open.
 */
public final class ThreadTeam implements AutoCloseable {
    private static final int MOST = 32;

    /** Which team is shared: its number of threads, and the worker that it serves, 0 outside of workers. */
    private record Key(int threads, int worker) {}

    private static final Map<Key, ThreadTeam> SHARED = new HashMap<>();

    /** How often a thread looks before it parks. */
    private static final int LOOKS = 2000;

    private static final long PARTS = 0xFFFFFFFFL;
    private static final long NEXT_PHASE = 1L << 32;

    /** What a phase does. */
    @FunctionalInterface
    public interface Task {
        /** Does a part, from 0 on, of as many as there are threads; others do the other parts meanwhile. */
        void part(int part, int parts);
    }

    private final Member[] members;
    private int users;
    private final @Nullable Throwable[] failures;
    private final AtomicBoolean open = new AtomicBoolean();

    /** The number of the phase, and in the lower half a bit for each part that nobody has begun. */
    private final AtomicLong state = new AtomicLong();

    /** Parts of this phase that are not done, the caller's own not counted. */
    private final AtomicInteger left = new AtomicInteger();

    private volatile @Nullable Task task;
    private volatile @Nullable Thread waiting;
    private volatile boolean closed;

    /**
     * A team of so many threads, the caller's included.
     *
     * @throws IllegalArgumentException if there are less than 1 or more than 32
     */
    ThreadTeam(int threads) {
        if (threads < 1 || threads > MOST) {
            throw new IllegalArgumentException("threads: must be from 1 to " + MOST + ", was " + threads);
        }
        failures = new Throwable[threads];
        members = new Member[threads - 1];
        for (int i = 0; i < members.length; i++) {
            members[i] = new Member(i + 1);
        }
        for (Member member : members) {
            member.start();
        }
    }

    /** How many threads a shared team has that is asked for with so many. */
    public static int size(int threads) {
        return Math.min(threads, MOST);
    }

    /** The team of so many threads, 32 at most, that the whole process shares; to be given back by {@link #release}. */
    public static ThreadTeam shared(int threads) {
        return shared(threads, 0);
    }

    /**
     * The same of those that serve a worker, so that the phases of several workers can be open at the same time.
     *
     * @param worker from 1 on; 0 for what computes alone
     */
    public static ThreadTeam shared(int threads, int worker) {
        synchronized (SHARED) {
            ThreadTeam threadTeam =
                    SHARED.computeIfAbsent(new Key(size(threads), worker), key -> new ThreadTeam(key.threads()));
            threadTeam.users++;
            return threadTeam;
        }
    }

    /** Gives a shared team back; the last one who does closes it. */
    public void release() {
        synchronized (SHARED) {
            users--;
            if (users == 0) {
                SHARED.values().remove(this);
                close();
            }
        }
    }

    /** Number of threads, the calling one included. */
    public int threads() {
        return members.length + 1;
    }

    /**
     * Does all parts of a task. If some fail, all are waited for and one failure is thrown, the others suppressed in it.
     * Where a phase is open already the caller does the parts one after the other, until one fails; so it does in the end
     * where the team is closed.
     */
    public void run(Task given) {
        if (open.compareAndSet(false, true)) {
            phase(given);
        } else {
            alone(given);
        }
    }

    /** All parts one after the other, by the caller. */
    private void alone(Task given) {
        for (int part = 0; part < threads(); part++) {
            given.part(part, threads());
        }
    }

    /** The phase that was opened. */
    private void phase(Task given) {
        try {
            int parts = threads();
            task = given;
            left.set(parts - 1);
            state.set((state.get() & ~PARTS) + NEXT_PHASE + ((1L << parts) - 2));
            for (Member member : members) {
                if (member.parked) { // else it looks again before it parks
                    LockSupport.unpark(member);
                }
            }
            attempt(given, 0);
            while (doOne(0)) {}
            await();
            task = null;
            rethrow();
        } finally {
            open.set(false);
        }
    }

    private void attempt(Task given, int part) {
        try {
            given.part(part, failures.length);
        } catch (RuntimeException | Error e) {
            failures[part] = e;
        }
    }

    /** Does a part that nobody has begun, if possible one's own; gives false if there is none. */
    private boolean doOne(int own) {
        while (true) {
            long seen = state.get();
            long parts = seen & PARTS;
            if (parts == 0) {
                return false;
            }
            long bit = (parts >> own & 1) != 0 ? 1L << own : Long.lowestOneBit(parts);
            Task given = task; // of this phase or a later one, and of a later one only if the next line fails
            if (state.compareAndSet(seen, seen & ~bit) && given != null) {
                attempt(given, Long.numberOfTrailingZeros(bit));
                if (left.decrementAndGet() == 0) { // which publishes what was computed, and the failure
                    Thread waits = waiting;
                    if (waits != null) {
                        LockSupport.unpark(waits);
                    }
                }
                return true;
            }
        }
    }

    private void await() {
        for (int look = 0; left.get() > 0 && look < LOOKS; look++) {
            Thread.onSpinWait();
        }
        if (left.get() > 0) {
            waiting = Thread.currentThread();
            boolean interrupted = false;
            while (left.get() > 0) {
                LockSupport.park(this);
                interrupted |= Thread.interrupted(); // an interrupted thread would not park
            }
            waiting = null;
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void rethrow() {
        Throwable failure = null;
        for (int part = 0; part < failures.length; part++) {
            Throwable another = failures[part];
            failures[part] = null;
            if (failure == null) {
                failure = another;
            } else if (another != null && another != failure) {
                failure.addSuppressed(another);
            }
        }
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure instanceof RuntimeException exception) {
            throw exception;
        }
    }

    /** Ends the threads and waits for them. Closing twice is harmless. */
    @Override
    public void close() {
        closed = true;
        boolean interrupted = false;
        for (Member member : members) {
            LockSupport.unpark(member);
            while (member.isAlive()) {
                try {
                    member.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** A thread beside the caller. */
    private final class Member extends Thread {
        private final int own;
        private volatile boolean parked;

        Member(int own) {
            super("hocket-team-" + own);
            this.own = own;
            setDaemon(true);
        }

        @Override
        public void run() {
            int looks = 0;
            while (true) {
                if (doOne(own)) {
                    looks = 0;
                } else if (closed) {
                    return;
                } else if (looks++ < LOOKS) {
                    Thread.onSpinWait();
                } else {
                    parked = true;
                    if ((state.get() & PARTS) == 0 && !closed) {
                        LockSupport.park(ThreadTeam.this);
                    }
                    parked = false;
                }
            }
        }
    }
}
