package hocket.schedulers.optimizers.updates;

import hocket.schedulers.optimizers.kernels.Powers;

/** How an average weighs what it follows: {@code average ← kept · average + (1 − kept) · now}. */
public enum Averaging {
    /** Exponentially from what the average is at first: kept is the decay. */
    EXPONENTIAL,
    /** Exponentially, the first time a copy: as PyTorch's {@code AveragedModel} with an EMA. */
    FROM_FIRST,
    /** Exponentially, as if nothing had been before the first: as Optax's {@code ema} with {@code debias}. */
    DEBIASED,
    /** All alike: the mean of all, as PyTorch's {@code AveragedModel} (stochastic weight averaging, Izmailov et al. 2018). */
    UNIFORM;

    /**
     * The share of the average that is kept.
     *
     * @param decay of exponential averages
     * @param count the number of this time, from 1
     */
    public double kept(double decay, long count) {
        return switch (this) {
            case EXPONENTIAL -> decay;
            case FROM_FIRST -> count == 1 ? 0 : decay;
            case DEBIASED ->
                decay == 1
                        ? (count - 1.0) / count
                        : decay * (1 - Powers.of(decay, count - 1)) / (1 - Powers.of(decay, count));
            case UNIFORM -> 1 - (double) (float) (1.0 / count); // PyTorch's weight is a float32
        };
    }
}
