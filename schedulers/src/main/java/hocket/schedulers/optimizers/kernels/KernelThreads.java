package hocket.schedulers.optimizers.kernels;

import hocket.programs.execution.ThreadTeam;
import hocket.schedulers.settings.Limits;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A {@link ThreadTeam} with kernels for each of its parts, sharing one piece of work at a time: the calling thread opens a phase
 * and returns when all of it is done, so that outside a phase nobody but the caller touches an array. Which elements make
 * a part depends on the work and the number of threads alone, and no result depends on it.
 *
 * <p>Phases allocate nothing. One phase at a time; successive ones may be opened by different threads.
 */
public final class KernelThreads implements AutoCloseable {
    /** Below this many elements, some 10 µs of Adam, waking a thread costs what it saves. */
    private static final long WORTH_SHARING = 25_000;

    /** The task of a phase, chunk by chunk, in any order and by any thread. */
    public record Work(Chunks chunks, Part part) {
        /** The work on a chunk, given its number. */
        public interface Part {
            void chunk(Kernels kernels, int chunk);
        }
    }

    private final ThreadTeam threadTeam;
    private final Kernels[] kernels;
    private final AtomicBoolean open = new AtomicBoolean();
    private final ThreadTeam.Task task = this::part;
    private @Nullable Work work;
    private volatile boolean closed;

    private KernelThreads(int threads, Supplier<Kernels> kernels) {
        this.kernels = new Kernels[ThreadTeam.size(threads)];
        Arrays.setAll(this.kernels, part -> kernels.get());
        this.threadTeam = ThreadTeam.shared(threads);
    }

    /**
     * Workers with the best kernels; the calling thread counts as one.
     *
     * @param threads number of threads, limited to 32
     * @throws IllegalArgumentException if the number is below 1
     */
    public static KernelThreads of(int threads) {
        return of(threads, Kernels::best);
    }

    /**
     * Workers with separate kernels.
     *
     * @param kernels makes new ones at each call
     * @throws IllegalArgumentException if the number is below 1
     */
    public static KernelThreads of(int threads, Supplier<Kernels> kernels) {
        Limits.atLeast(1, "threads", threads);
        return new KernelThreads(threads, kernels);
    }

    /** Number of threads, the calling one included. */
    public int threads() {
        return kernels.length;
    }

    /** The kernels of the first part; not to be used while a phase is open. */
    public Kernels kernels() {
        return kernels[0];
    }

    /**
     * Does all of the work. If parts fail, it waits for all and throws one failure, with the others suppressed in it.
     *
     * @throws IllegalStateException if the workers are closed, or a phase is open
     */
    public void run(Work given) {
        if (closed) {
            throw new IllegalStateException("workers: closed");
        }
        if (!open.compareAndSet(false, true)) {
            throw new IllegalStateException("workers: a phase is open, and there can be only one");
        }
        try {
            work = given;
            if (kernels.length == 1 || given.chunks().elements() < WORTH_SHARING) {
                part(0, 1);
            } else {
                threadTeam.run(task);
            }
        } finally {
            work = null;
            open.set(false);
        }
    }

    private void part(int part, int parts) {
        Work given = work;
        if (given == null) {
            throw new IllegalStateException("workers: no phase is open");
        }
        Chunks chunks = given.chunks();
        int end = chunks.firstOf(part + 1, parts);
        for (int chunk = chunks.firstOf(part, parts); chunk < end; chunk++) {
            given.part().chunk(kernels[part], chunk);
        }
    }

    /** Releases its threads. Closing twice is harmless. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            threadTeam.release();
        }
    }
}
