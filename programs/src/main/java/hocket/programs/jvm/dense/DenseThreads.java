package hocket.programs.jvm.dense;

import hocket.programs.execution.ThreadTeam;
import hocket.programs.jvm.kernels.DenseKernels;
import hocket.programs.jvm.kernels.Part;
import hocket.programs.jvm.kernels.Scratch;
import java.util.Arrays;

/**
 * The threads that share the large steps of a program, each with scratch memory. No bit depends on how many there are:
 * the {@link DenseKernels} see to that in products, and the rest is element by element.
 */
final class DenseThreads implements AutoCloseable {
    /** From how many multiply-adds on a product is shared. */
    static final long PRODUCTS_WORTH_SHARING = 1_000_000;

    /** From how many elements on a run is shared. */
    private static final int ELEMENTS_WORTH_SHARING = 100_000;

    private final Part[] parts;
    private final Part alone = new Part(0, 1, new Scratch());
    private final ThreadTeam threadTeam;
    private boolean closed;

    /** @param worker whose threads they are, 0 where none runs beside it */
    DenseThreads(int threads, int worker) {
        this.threadTeam = ThreadTeam.shared(threads, worker);
        this.parts = new Part[threadTeam.threads()];
        Arrays.setAll(parts, i -> new Part(i, parts.length, i == 0 ? alone.scratch() : new Scratch()));
    }

    ThreadTeam team() {
        return threadTeam;
    }

    /** A part of a product. */
    @FunctionalInterface
    interface Product {
        void run(Part part);
    }

    /** Products in parts: shared where they are large. */
    Runnable products(long multiplyAdds, Product product) {
        if (threadTeam.threads() == 1 || multiplyAdds < PRODUCTS_WORTH_SHARING) {
            return () -> product.run(alone);
        }
        ThreadTeam.Task task = (part, count) -> product.run(parts[part]);
        return () -> threadTeam.run(task);
    }

    /** A loop over some elements from a place on. */
    @FunctionalInterface
    interface Loop {
        void run(int at, int count);
    }

    /** A loop over a run of elements, shared where it is long. */
    Runnable overRun(int length, Loop loop) {
        if (threadTeam.threads() == 1 || length < ELEMENTS_WORTH_SHARING) {
            return () -> loop.run(0, length);
        }
        ThreadTeam.Task task = (part, parts) -> {
            int from = ProductBlocking.first(part, parts, length, Scratch.LANES);
            loop.run(from, ProductBlocking.first(part + 1, parts, length, Scratch.LANES) - from);
        };
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
