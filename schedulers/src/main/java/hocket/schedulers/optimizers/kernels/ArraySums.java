package hocket.schedulers.optimizers.kernels;

/** Sums over the first elements of an array. */
public final class ArraySums {
    private ArraySums() {}

    public static double ofSquares(double[] values, int length) {
        double sum = 0;
        for (int i = 0; i < length; i++) {
            sum += values[i] * values[i];
        }
        return sum;
    }

    public static void scale(double[] values, int length, double factor) {
        for (int i = 0; i < length; i++) {
            values[i] *= factor;
        }
    }
}
