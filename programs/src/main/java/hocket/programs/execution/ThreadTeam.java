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
 * all parts that no other thread has started, and returns when all are done. So on a busy machine a phase is not slower
 * than with one thread. No part is done twice, or by two threads.
 *
 * <p>Between phases the others spin for some 0.3 ms, or 1 ms where a processor's pause is long, and then park; with one
 * processor they park at once. An empty phase of two takes about 0.1 µs while they spin, and in a virtual machine up to 50 µs
 * more to wake them. They are daemons. Phases allocate nothing. There is one phase at a time: a caller that opens another one
 * does all of its parts alone.
 *
 * <p>One team of a size serves the whole process, so that products and optimizers, which take turns, find the same
 * threads awake. Workers that compute at the same time have a team each, so that none of them finds a phase open.
 */
public final class ThreadTeam implements AutoCloseable {
    private static final int MOST = 32;

    /** The key of a shared team: its number of threads, and its worker, 0 outside of workers. */
    private record Key(int threads, int worker) {}

    private static final Map<Key, ThreadTeam> SHARED = new HashMap<>();

    /** The usual number of spins before a thread parks: with one processor, those that it waits for cannot run meanwhile. */
    private static final int USUAL_LOOKS = Runtime.getRuntime().availableProcessors() > 1 ? 20_000 : 0;

    private static final long PARTS = 0xFFFFFFFFL;
    private static final long NEXT_PHASE = 1L << 32;

    /** The task of a phase. */
    @FunctionalInterface
    public interface Task {
        /** Does a part, from 0 on, of as many as there are threads; others do the other parts meanwhile. */
        void part(int part, int parts);
    }

    private final int looks;
    private final Member[] members;
    private int users;
    private final @Nullable Throwable[] failures;
    private final AtomicBoolean open = new AtomicBoolean();

    /** The number of the phase, and in the lower half a bit for each part that no thread has started. */
    private final AtomicLong state = new AtomicLong();

    /** Parts of this phase that are not done, the caller's own not counted. */
    private final AtomicInteger left = new AtomicInteger();

    private volatile @Nullable Task task;
    private volatile @Nullable Thread waiting;
    private volatile boolean closed;

    /**
     * A team of a number of threads, including the caller.
     *
     * @throws IllegalArgumentException if there are less than 1 or more than 32
     */
    ThreadTeam(int threads) {
        this(threads, USUAL_LOOKS);
    }

    /** @param looks number of spins before a thread parks */
    ThreadTeam(int threads, int looks) {
        this.looks = looks;
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

    /** Returns the number of threads of a shared team for a requested number. */
    public static int size(int threads) {
        return Math.min(threads, MOST);
    }

    /** Returns the process-wide shared team of at most 32 threads; return it by {@link #release}. */
    public static ThreadTeam shared(int threads) {
        return shared(threads, 0);
    }

    /**
     * Returns the shared team of a worker, so that the phases of several workers can be open at the same time.
     *
     * @param worker number from 1 on; 0 without workers
     */
    public static ThreadTeam shared(int threads, int worker) {
        synchronized (SHARED) {
            ThreadTeam threadTeam =
                    SHARED.computeIfAbsent(new Key(size(threads), worker), key -> new ThreadTeam(key.threads()));
            threadTeam.users++;
            return threadTeam;
        }
    }

    /** Gives back a shared team; the last user closes it. */
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
     * Does all parts of a task. If some fail, all are waited for and one failure is thrown, the others suppressed in
     * it. If a phase is open already, or the team is closed, the caller does the parts one after the other until one
     * fails.
     */
    public void run(Task given) {
        if (open.compareAndSet(false, true)) {
            phase(given);
        } else {
            alone(given);
        }
    }

    /** Runs all parts in sequence on the calling thread. */
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

    /** Does a part that no thread has started, if possible the thread's own; returns false if there is none. */
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
        for (int look = 0; left.get() > 0 && look < looks; look++) {
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

    /** A thread of the team other than the caller. */
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
            int looked = 0;
            while (true) {
                if (doOne(own)) {
                    looked = 0;
                } else if (closed) {
                    return;
                } else if (looked++ < looks) {
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
