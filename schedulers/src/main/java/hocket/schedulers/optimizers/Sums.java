package hocket.schedulers.optimizers;

/** Sums over the first elements of an array. */
final class Sums {
    private Sums() {}

    static double ofSquares(double[] values, int length) {
        double sum = 0;
        for (int i = 0; i < length; i++) {
            sum += values[i] * values[i];
        }
        return sum;
    }

    static void scale(double[] values, int length, double factor) {
        for (int i = 0; i < length; i++) {
            values[i] *= factor;
        }
    }
}
