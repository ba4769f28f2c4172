package hocket.schedulers.optimizers.transforms;

import hocket.schedulers.optimizers.GradientTransformation;
import hocket.schedulers.optimizers.kernels.ArraySums;
import hocket.schedulers.optimizers.kernels.Chunk;

/**
 * A transformation that needs sums over whole arrays before it can change the update. Memory is then passed over once
 * more, and the update in between kept in float64. Sums are taken in an order that does not depend on threads.
 */
public interface Measuring extends GradientTransformation {
    /** The domain of a sum. */
    enum Over {
        /** The elements of one unit: of one index along the first axis of an array with several, else of all of it. */
        UNIT,
        /** The elements of one weight. */
        ARRAY,
        /** The elements of all weights of the optimizer. */
        SELECTION
    }

    /** Returns the domain of its sums. */
    Over over();

    /** Returns the number of its sums; usually one. */
    default int sums() {
        return 1;
    }

    /**
     * Adds to sums by {@link Chunk#add}; may change update and slots. Comes before {@link #update} of the same elements,
     * which sees the update as this left it. Usually adds the squares of the update to the first sum.
     */
    default void measure(Chunk chunk) {
        chunk.add(0, ArraySums.ofSquares(chunk.update(), chunk.length()));
    }
}
