package hocket.schedulers.optimizers;

/** The same rate at every update. */
record ConstantRate(double value) implements Rate {
    ConstantRate {
        Require.notNegative("rate", value);
    }

    @Override
    public double at(long count) {
        return value;
    }

    @Override
    public String describe() {
        return Double.toString(value);
    }

    @Override
    public String toString() {
        return describe();
    }
}
