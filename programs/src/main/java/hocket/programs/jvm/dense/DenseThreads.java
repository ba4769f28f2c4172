package hocket.programs.jvm.dense;

import hocket.programs.execution.ThreadTeam;
import hocket.programs.jvm.kernels.DenseKernels;
import hocket.programs.jvm.kernels.Scratch;
import hocket.programs.jvm.kernels.WorkShare;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The threads that share the large steps of a program, each with scratch memory. No bit depends on how many there are:
 * the {@link DenseKernels} see to that in products, and the rest is element by element.
 */
final class DenseThreads implements AutoCloseable {
    /**
     * The number of multiply-adds from which on threads share a product. Smaller ones take some 20 µs alone; a thread that
     * parked meanwhile may take as long to wake.
     */
    static final long PRODUCTS_WORTH_SHARING = 2_000_000;

    /** The number of elements from which on threads share a run. */
    private static final int ELEMENTS_WORTH_SHARING = 100_000;

    private final WorkShare[] workShares;
    private final WorkShare alone;
    final ThreadTeam threadTeam;
    private boolean closed;

    /**
     * @param worker the worker of the threads, 0 without workers
     * @param arena which has the threads' scratch memory
     */
    DenseThreads(int threads, int worker, DenseArena arena) {
        this.threadTeam = ThreadTeam.shared(threads, worker);
        this.alone = new WorkShare(0, 1, arena.scratch(0));
        this.workShares = new WorkShare[threadTeam.threads()];
        Arrays.setAll(workShares, i -> new WorkShare(i, workShares.length, arena.scratch(i)));
    }

    /** Returns the memory of a thread. */
    Scratch scratch(int part) {
        return workShares[part].scratch();
    }

    /** A part of a product. */
    @FunctionalInterface
    interface Product {
        void run(WorkShare workShare);
    }

    /** Products in parts: shared where they are large. */
    Runnable products(long multiplyAdds, Product product) {
        if (threadTeam.threads() == 1 || multiplyAdds < PRODUCTS_WORTH_SHARING) {
            return () -> product.run(alone);
        }
        ThreadTeam.Task task = (part, count) -> product.run(workShares[part]);
        return () -> threadTeam.run(task);
    }

    /** A loop over some elements from a place on. */
    @FunctionalInterface
    interface Loop {
        void run(int at, int count);
    }

    /** Elements that several loops take in turn, while what one leaves to the next is in a first-level cache. */
    static final int PIECE = 2048;

    /** A loop over a run of elements, each of which depends on elements at its own place only. */
    final class Run implements Runnable {
        private final int length;
        private final Loop loop;
        private final Runnable whole;

        Run(int length, Loop loop) {
            this.length = length;
            this.loop = loop;
            if (threadTeam.threads() == 1 || length < ELEMENTS_WORTH_SHARING) {
                whole = () -> loop.run(0, length);
            } else {
                ThreadTeam.Task task = (part, parts) -> {
                    int from = WorkShare.first(part, parts, length, Scratch.LANES);
                    loop.run(from, WorkShare.first(part + 1, parts, length, Scratch.LANES) - from);
                };
                whole = () -> threadTeam.run(task);
            }
        }

        /** Returns this run and another one after it, piece by piece; none where they have other lengths. */
        Optional<Run> then(Run next) {
            if (next.length != length) {
                return Optional.empty();
            }
            Loop[] loops = Stream.concat(Arrays.stream(loops()), Arrays.stream(next.loops()))
                    .toArray(Loop[]::new);
            return Optional.of(new Run(length, new Pieces(loops)));
        }

        private Loop[] loops() {
            return loop instanceof Pieces pieces ? pieces.loops : new Loop[] {loop};
        }

        @Override
        public void run() {
            whole.run();
        }
    }

    /** Loops that take each piece in turn. */
    private record Pieces(Loop[] loops) implements Loop {
        @Override
        public void run(int at, int count) {
            for (int first = at; first < at + count; first += PIECE) {
                int some = Math.min(PIECE, at + count - first);
                for (Loop loop : loops) {
                    loop.run(first, some);
                }
            }
        }
    }

    /** A loop over a run of elements, shared where it is long. */
    Run overRun(int length, Loop loop) {
        return new Run(length, loop);
    }

    /** A loop over independent parts, such as channels. */
    @FunctionalInterface
    interface Parts {
        void run(Scratch scratch, int from, int to);
    }

    /**
     * A loop over some parts that do not depend on one another, shared where they are long together.
     *
     * @param elements of all parts
     */
    Runnable overParts(int parts, long elements, Parts loop) {
        if (threadTeam.threads() == 1 || parts == 1 || elements < ELEMENTS_WORTH_SHARING) {
            return () -> loop.run(alone.scratch(), 0, parts);
        }
        ThreadTeam.Task task = (part, count) -> loop.run(
                workShares[part].scratch(),
                WorkShare.first(part, count, parts, 1),
                WorkShare.first(part + 1, count, parts, 1));
        return () -> threadTeam.run(task);
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            threadTeam.release();
        }
    }
}
