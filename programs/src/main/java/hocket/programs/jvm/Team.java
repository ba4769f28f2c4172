package hocket.programs.jvm;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Threads that do one task at a time in parts, the calling thread among them: it opens a phase, does the first part, and
 * returns when all parts are done. Between phases the others look out for the next one for a moment, some 30 µs, and
 * then park. They are daemons, and end by {@link #close}. Phases allocate nothing. One phase at a time; successive ones
 * may be opened by different threads.
 */
final class Team implements AutoCloseable {
    /** How often a thread looks before it parks. */
    private static final int LOOKS = 2000;

    private static final Map<Integer, Team> SHARED = new HashMap<>();

    /** What a phase does. */
    interface Task {
        /** Does a part, from 0 on, of as many as there are threads; others do the other parts meanwhile. */
        void part(int part, int parts);
    }

    private final Member[] members;
    private int users;
    private final AtomicBoolean open = new AtomicBoolean();
    private volatile boolean closed;

    /**
     * A team of so many threads, the caller's included.
     *
     * @throws IllegalArgumentException if there are less than 1
     */
    Team(int threads) {
        if (threads < 1) {
            throw new IllegalArgumentException("threads: must be at least 1, was " + threads);
        }
        members = new Member[threads - 1];
        for (int i = 0; i < members.length; i++) {
            members[i] = new Member(i + 1, threads);
        }
        for (Member member : members) {
            member.start();
        }
    }

    /** The team of so many threads that the whole process shares, to be given back by {@link #release}. */
    static Team shared(int threads) {
        synchronized (SHARED) {
            Team team = SHARED.computeIfAbsent(threads, Team::new);
            team.users++;
            return team;
        }
    }

    /** Gives a shared team back; the last one who does closes it. */
    void release() {
        synchronized (SHARED) {
            users--;
            if (users == 0) {
                SHARED.remove(threads());
                close();
            }
        }
    }

    /** Number of threads, the calling one included. */
    int threads() {
        return members.length + 1;
    }

    /**
     * Does all parts of a task. If some fail, all are waited for and one failure is thrown, the others suppressed in it.
     *
     * @throws IllegalStateException if the team is closed, or a phase is open
     */
    void run(Task task) {
        if (closed) {
            throw new IllegalStateException("team: closed");
        }
        if (!open.compareAndSet(false, true)) {
            throw new IllegalStateException("team: a phase is open, and there can be only one");
        }
        phase(task);
    }

    /** The phase that was opened. */
    private void phase(Task task) {
        Throwable failure = null;
        try {
            for (Member member : members) {
                member.begin(task);
            }
            try {
                task.part(0, threads());
            } catch (RuntimeException | Error e) {
                failure = e;
            }
            for (Member member : members) {
                Throwable another = member.await();
                if (failure == null) {
                    failure = another;
                } else if (another != null && another != failure) {
                    failure.addSuppressed(another);
                }
            }
        } finally {
            open.set(false);
        }
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure instanceof RuntimeException exception) {
            throw exception;
        }
    }

    /** As {@link #run}, but where another thread has a phase open the caller does all parts itself. */
    void runOrAlone(Task task) {
        if (!open.compareAndSet(false, true)) {
            for (int part = 0; part < threads(); part++) {
                task.part(part, threads());
            }
        } else {
            phase(task);
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
        private final int part;
        private final int parts;

        private volatile @Nullable Task task;
        private volatile boolean parked;
        private volatile @Nullable Thread waiting;
        private @Nullable Throwable failure;

        Member(int part, int parts) {
            super("hocket-team-" + part);
            this.part = part;
            this.parts = parts;
            setDaemon(true);
        }

        /** Called by the thread that opens the phase. */
        void begin(Task given) {
            task = given;
            if (parked) { // else it looks again before it parks
                LockSupport.unpark(this);
            }
        }

        /** Called by the thread that opened the phase; gives what the part failed with. */
        @Nullable
        Throwable await() {
            for (int look = 0; task != null && look < LOOKS; look++) {
                Thread.onSpinWait();
            }
            if (task != null) {
                waiting = Thread.currentThread();
                boolean interrupted = false;
                while (task != null) {
                    LockSupport.park(this);
                    interrupted |= Thread.interrupted(); // an interrupted thread would not park
                }
                waiting = null;
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
            Throwable failed = failure;
            failure = null;
            return failed;
        }

        @Override
        public void run() {
            int looks = 0;
            while (true) {
                Task given = task;
                if (given != null) {
                    try {
                        given.part(part, parts);
                    } catch (RuntimeException | Error e) {
                        failure = e;
                    }
                    task = null; // publishes what was computed, and the failure
                    Thread waits = waiting;
                    if (waits != null) {
                        LockSupport.unpark(waits);
                    }
                    looks = 0;
                } else if (closed) {
                    return;
                } else if (looks++ < LOOKS) {
                    Thread.onSpinWait();
                } else {
                    parked = true;
                    if (task == null && !closed) {
                        LockSupport.park(Team.this);
                    }
                    parked = false;
                }
            }
        }
    }
}
