package hocket.programs.jvm;

import hocket.programs.Team;
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
    private final Team team;
    private boolean closed;

    /** @param worker whose threads they are, 0 where none runs beside it */
    DenseThreads(int threads, int worker) {
        this.team = Team.shared(threads, worker);
        this.parts = new Part[team.threads()];
        Arrays.setAll(parts, i -> new Part(i, parts.length, i == 0 ? alone.scratch() : new Scratch()));
    }

    Team team() {
        return team;
    }

    /** A part of a product. */
    @FunctionalInterface
    interface Product {
        void run(Part part);
    }

    /** Products in parts: shared where they are large. */
    Runnable products(long multiplyAdds, Product product) {
        if (team.threads() == 1 || multiplyAdds < PRODUCTS_WORTH_SHARING) {
            return () -> product.run(alone);
        }
        Team.Task task = (part, count) -> product.run(parts[part]);
        return () -> team.run(task);
    }

    /** A loop over some elements from a place on. */
    @FunctionalInterface
    interface Loop {
        void run(int at, int count);
    }

    /** A loop over a run of elements, shared where it is long. */
    Runnable overRun(int length, Loop loop) {
        if (team.threads() == 1 || length < ELEMENTS_WORTH_SHARING) {
            return () -> loop.run(0, length);
        }
        Team.Task task = (part, parts) -> {
            int from = Parts.first(part, parts, length, Scratch.LANES);
            loop.run(from, Parts.first(part + 1, parts, length, Scratch.LANES) - from);
        };
        return () -> team.run(task);
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            team.release();
        }
    }
}
