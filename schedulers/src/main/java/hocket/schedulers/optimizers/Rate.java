package hocket.schedulers.optimizers;

/** The learning rate as a function of the number of the update. Constant rates are equal when their values are. */
@FunctionalInterface
public interface Rate {
    /**
     * The rate of one update, finite and at least 0.
     *
     * @param count the number of the update, from 1
     */
    double at(long count);

    /** What a plan prints. */
    default String describe() {
        return "a function of the update";
    }

    /**
     * The same rate always.
     *
     * @throws IllegalArgumentException if the value is negative or not finite
     */
    static Rate constant(double value) {
        return new ConstantRate(value);
    }

    /**
     * {@code start} for the first {@code begin} updates, then in a straight line to {@code end} over {@code length}
     * updates, then {@code end}. As Optax's {@code linear_schedule}.
     *
     * @throws IllegalArgumentException if a rate is negative or not finite, or a number of updates below 0 or 1
     */
    static Rate linear(double start, double end, long begin, long length) {
        return new LinearRate(start, end, begin, length);
    }
}
