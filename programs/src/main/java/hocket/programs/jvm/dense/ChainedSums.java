package hocket.programs.jvm.dense;

import hocket.programs.jvm.kernels.DenseKernels;
import hocket.programs.jvm.kernels.PairwiseSums;
import hocket.programs.jvm.kernels.Scratch;
import java.util.Arrays;

/** Sums of many products in chains of at most {@link Scratch#CHAIN} terms, which are added up pairwise. */
final class ChainedSums {
    private final DenseKernels kernels;
    private final PairwiseSums sums;
    private final float[] chain;
    private final int size;
    private int deep;

    /** @param size number of sums */
    ChainedSums(DenseKernels kernels, int size, Scratch scratch) {
        this.kernels = kernels;
        this.sums = scratch.sums();
        this.chain = scratch.chain(size + DenseMemory.SLACK);
        this.size = size;
        sums.begin(size);
    }

    /** Returns the chain to which the next terms of every sum are added, which begins at 0 where the last one is full. */
    float[] next(int terms) {
        if (deep + terms > Scratch.CHAIN) {
            sums.add(kernels, chain, 0);
            Arrays.fill(chain, 0, size, 0);
            deep = 0;
        }
        deep += terms;
        return chain;
    }

    /** Returns the sums. */
    float[] total() {
        sums.add(kernels, chain, 0);
        return sums.sum(kernels);
    }
}
