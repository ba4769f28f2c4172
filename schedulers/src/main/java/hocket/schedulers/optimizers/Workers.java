package hocket.schedulers.optimizers;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Threads that share one piece of work at a time: the calling thread opens a phase, does its part and returns when all
 * parts are done, so that outside a phase nobody but the caller touches an array. Which elements a thread gets depends on
 * the work and the number of threads alone, and no result depends on it.
 *
 * <p>Between phases the threads are parked. They are daemons, and end by {@link #close}. Phases allocate nothing. One
 * phase at a time; successive ones may be opened by different threads.
 */
public final class Workers implements AutoCloseable {
    /** Below this many elements waking a thread costs more than it saves. */
    private static final long WORTH_SHARING = 400_000;

    /** How often the caller looks before it parks: some 20 µs, about what waking it would take. */
    private static final int LOOKS = 1000;

    /** What a phase does, chunk by chunk, in any order and by any thread. */
    interface Work {
        Chunks chunks();

        void chunk(Kernels kernels, int chunk);
    }

    private final Kernels kernels;
    private final Worker[] workers;
    private final AtomicBoolean open = new AtomicBoolean();
    private volatile boolean closed;

    private Workers(int threads, Supplier<Kernels> kernels) {
        this.kernels = kernels.get();
        this.workers = new Worker[threads - 1];
        for (int i = 0; i < workers.length; i++) {
            workers[i] = new Worker(i + 1, threads, kernels.get());
        }
        for (Worker worker : workers) {
            worker.start();
        }
    }

    /**
     * Workers with the best kernels; the calling thread counts as one.
     *
     * @throws IllegalArgumentException if there are less than 1
     */
    public static Workers of(int threads) {
        return of(threads, Kernels::best);
    }

    /**
     * Workers with kernels of their own each.
     *
     * @param kernels gives new ones at each call
     * @throws IllegalArgumentException if there are less than 1
     */
    public static Workers of(int threads, Supplier<Kernels> kernels) {
        if (threads < 1) {
            throw new IllegalArgumentException("threads: must be at least 1, was " + threads);
        }
        return new Workers(threads, kernels);
    }

    /** Number of threads, the calling one included. */
    public int threads() {
        return workers.length + 1;
    }

    /** The kernels of the calling thread; not to be used while a phase is open. */
    public Kernels kernels() {
        return kernels;
    }

    /**
     * Does all of the work. If it fails on some threads, all are waited for and one failure is thrown, the others
     * suppressed in it.
     *
     * @throws IllegalStateException if the workers are closed, or a phase is open
     */
    void run(Work work) {
        if (closed) {
            throw new IllegalStateException("workers: closed");
        }
        if (!open.compareAndSet(false, true)) {
            throw new IllegalStateException("workers: a phase is open, and there can be only one");
        }
        try {
            if (workers.length == 0 || work.chunks().elements() < WORTH_SHARING) {
                part(work, kernels, 0, 1);
            } else {
                share(work);
            }
        } finally {
            open.set(false);
        }
    }

    private void share(Work work) {
        for (Worker worker : workers) {
            worker.begin(work);
        }
        Throwable failure = null;
        try {
            part(work, kernels, 0, threads());
        } catch (RuntimeException | Error e) {
            failure = e;
        }
        for (Worker worker : workers) {
            Throwable other = worker.await();
            if (failure == null) {
                failure = other;
            } else if (other != null) {
                failure.addSuppressed(other);
            }
        }
        if (failure instanceof Error error) {
            throw error;
        } else if (failure instanceof RuntimeException exception) {
            throw exception;
        }
    }

    private static void part(Work work, Kernels kernels, int part, int parts) {
        Chunks chunks = work.chunks();
        int end = chunks.firstOf(part + 1, parts);
        for (int chunk = chunks.firstOf(part, parts); chunk < end; chunk++) {
            work.chunk(kernels, chunk);
        }
    }

    /** Ends the threads and waits for them. Closing twice is harmless. */
    @Override
    public void close() {
        closed = true;
        boolean interrupted = false;
        for (Worker worker : workers) {
            LockSupport.unpark(worker);
            while (worker.isAlive()) {
                try {
                    worker.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** A thread beside the caller: parked until it is given work, and again when that is done. */
    private final class Worker extends Thread {
        private final int part;
        private final int parts;
        private final Kernels own;

        private volatile @Nullable Work work;
        private volatile @Nullable Thread waiting;
        private @Nullable Throwable failure;

        Worker(int part, int parts, Kernels own) {
            super("hocket-update-" + part);
            this.part = part;
            this.parts = parts;
            this.own = own;
            setDaemon(true);
        }

        /** Called by the thread that opens the phase. */
        void begin(Work given) {
            work = given;
            LockSupport.unpark(this);
        }

        /** Called by the thread that opened the phase; gives what the part failed with. */
        @Nullable
        Throwable await() {
            for (int look = 0; work != null && look < LOOKS; look++) {
                Thread.onSpinWait();
            }
            if (work != null) {
                waiting = Thread.currentThread();
                boolean interrupted = false;
                while (work != null) {
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
            while (true) {
                Work given = work;
                if (given != null) {
                    try {
                        part(given, own, part, parts);
                    } catch (RuntimeException | Error e) {
                        failure = e;
                    }
                    work = null; // publishes the arrays and the failure
                    LockSupport.unpark(waiting);
                } else if (closed) {
                    return;
                } else {
                    LockSupport.park(Workers.this);
                }
            }
        }
    }
}
