package hocket.schedulers.optimizers.kernels;

/**
 * The order in which a chunk's elements are added, the same for all loops: element i, counted from the chunk's start,
 * goes to partial sum i mod 32, in double; then the upper half is added to the lower half until one is left.
 */
final class PartialSums {
    static final int COUNT = 32;

    private PartialSums() {}

    /** Adds up the partial sums, overwriting them. */
    static double total(double[] sums) {
        for (int half = COUNT / 2; half > 0; half /= 2) {
            for (int i = 0; i < half; i++) {
                sums[i] += sums[i + half];
            }
        }
        return sums[0];
    }
}
