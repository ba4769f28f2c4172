package hocket.schedulers.optimizers;

import java.util.List;

/**
 * How a weight changes, given its gradient: a value, made by {@link Optimizers}. The state it keeps for a weight lies in
 * slots, arrays of the weight's type and length that start as zeros; the rule itself has none.
 */
public sealed interface UpdateRule permits Sgd, Adam, RmsProp, Clipped {
    /** A short name: {@code adam}. */
    String name();

    /** The names of the arrays that the rule keeps beside each weight, in the order that {@link #apply} wants them. */
    List<String> slots();

    /** The learning rate. */
    Rate rate();

    /**
     * The same rule, applied to {@code gradient · min(1, maxNorm / (norm + 1e-6))} where {@code norm} is the Euclidean
     * norm of all gradients that are given to the rule in one update together. As PyTorch's {@code clip_grad_norm_}.
     *
     * @throws IllegalArgumentException if the norm is not finite and above 0, or the rule is already clipped
     */
    default UpdateRule clip(double maxNorm) {
        return new Clipped(this, maxNorm);
    }

    /**
     * Computes what is common to all elements of one update. Does not touch {@link Step#scale}.
     *
     * @param count the number of the update, from 1
     * @throws IllegalArgumentException if the rate's value is negative or not finite
     */
    void prepare(long count, Step step);

    /**
     * Updates the elements {@code from <= i < to} of the weight and of its slots. Elements do not depend on each other,
     * so several threads may share the arrays by ranges, each with kernels of its own.
     */
    void apply(Kernels kernels, Step step, Operands operands, int from, int to);
}
