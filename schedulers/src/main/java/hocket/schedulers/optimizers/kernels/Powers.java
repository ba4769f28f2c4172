package hocket.schedulers.optimizers.kernels;

/** Powers whose bits are the same everywhere and that make no objects: the JIT may change the bits of Math.pow. */
public final class Powers {
    private Powers() {}

    /** A whole power, by squaring. */
    public static double of(double base, long exponent) {
        double power = 1;
        double square = base;
        for (long left = exponent; left > 0; left >>= 1) {
            if ((left & 1) == 1) {
                power *= square;
            }
            square *= square;
        }
        return power;
    }
}
