package hocket.schedulers.optimizers.updates;

import hocket.schedulers.optimizers.kernels.Powers;

/** The weights of an average and of the value that it follows: {@code average ← kept · average + (1 − kept) · now}. */
public enum Averaging {
    /** Exponential, from the average's initial value: kept is the decay. */
    EXPONENTIAL,
    /** Exponential, with a copy at the first time: as PyTorch's {@code AveragedModel} with an EMA. */
    FROM_FIRST,
    /** Exponential, with bias correction: as Optax's {@code ema} with {@code debias}. */
    DEBIASED,
    /** Uniform: the mean, as PyTorch's {@code AveragedModel} (stochastic weight averaging, Izmailov et al. 2018). */
    UNIFORM;

    /**
     * Returns the share of the average that is kept.
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
