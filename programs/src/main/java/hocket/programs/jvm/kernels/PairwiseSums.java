package hocket.programs.jvm.kernels;

import hocket.programs.jvm.dense.DenseMemory;
import java.util.ArrayList;
import java.util.List;

/**
 * A sum of many equally long runs of floats, element by element: chains of at most 16 terms, added up pairwise, so that the
 * rounding error grows with the logarithm of the number of terms. The order of the additions depends on the number of terms
 * only; of at most 16 it is that of the terms.
 */
public final class PairwiseSums {
    private static final int CHAIN = 16;

    private final List<float[]> levels = new ArrayList<>();
    private int capacity;
    private int length;
    private int terms;

    /** Starts a sum of runs of a number of elements. */
    public void begin(int length) {
        if (length > capacity) {
            levels.clear();
            capacity = length;
        }
        this.length = length;
        terms = 0;
    }

    /** Adds a run. */
    public void add(DenseKernels kernels, float[] x, int at) {
        add(kernels, 1, length, x, at, 0);
    }

    /** Adds a number of runs that are {@code step} apart, before any others. */
    public void add(DenseKernels kernels, float[] x, int at, int step, int runs) {
        while (terms < runs) {
            int next = at + terms * step;
            int some = Math.min(CHAIN, runs - terms);
            kernels.addRuns(x, next, step, some, length, level(0), 0);
            terms += some;
            if (some == CHAIN) {
                carry(kernels);
            }
        }
    }

    /** Adds some rows of a matrix. */
    void add(DenseKernels kernels, int rows, int columns, float[] x, int at, int row) {
        float[] chain = level(0);
        for (int i = 0; i < rows; i++) {
            int to = i * columns;
            if (terms % CHAIN == 0) {
                System.arraycopy(x, at + i * row, chain, to, columns);
            } else {
                kernels.binary(Binary.ADD, chain, to, 1, x, at + i * row, 1, chain, to, columns);
            }
        }
        terms++;
        if (terms % CHAIN == 0) {
            carry(kernels);
        }
    }

    /** Carries a full chain as in a binary counter: level k holds the sum of 2^(k-1) chains. */
    private void carry(DenseKernels kernels) {
        int chains = terms / CHAIN;
        int at = 0;
        for (int k = 1; ; k++, chains /= 2) {
            float[] to = level(k);
            if (chains % 2 == 1) {
                System.arraycopy(level(at), 0, to, 0, length);
                return;
            }
            kernels.binary(Binary.ADD, to, 0, 1, level(at), 0, 1, to, 0, length);
            at = k;
        }
    }

    /** Adds up what the levels hold, which ends the sum, and gives the array whose first elements are the result. */
    public float[] sum(DenseKernels kernels) {
        float[] sum = level(0);
        boolean any = terms % CHAIN != 0;
        int chains = terms / CHAIN;
        for (int k = 1; chains > 0; k++, chains /= 2) {
            if (chains % 2 == 0) {
                continue;
            }
            float[] more = level(k);
            if (any) {
                kernels.binary(Binary.ADD, more, 0, 1, sum, 0, 1, more, 0, length);
            }
            sum = more;
            any = true;
        }
        return sum;
    }

    /** Writes the sum to rows of a matrix, which ends it. */
    void write(DenseKernels kernels, int rows, int columns, float[] to, int at, int row) {
        float[] sum = sum(kernels);
        for (int i = 0; i < rows; i++) {
            System.arraycopy(sum, i * columns, to, at + i * row, columns);
        }
    }

    private float[] level(int k) {
        while (levels.size() <= k) {
            levels.add(new float[capacity + DenseMemory.SLACK]);
        }
        return levels.get(k);
    }
}
