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
}
