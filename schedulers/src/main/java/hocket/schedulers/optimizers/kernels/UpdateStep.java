package hocket.schedulers.optimizers.kernels;

/**
 * The numbers of one update that depend on its count: filled by {@link FusedChain#prepare}, in double, before the arrays are
 * touched. Mutable and reused, so that an update allocates nothing; kernels only read it.
 */
public final class UpdateStep {
    /** Factor on the gradient: below 1 when its norm is clipped, below 0 to ascend. */
    double scale = 1;

    /** Factor of the weight that is added to its gradient. */
    double decay;

    /** Factor on the weight before its update: below 1 for decoupled weight decay. */
    double keep = 1;

    /** Factor of the direction. */
    public double size;

    /** Number that is added to a denominator. */
    public double epsilon;

    /** Weight of the new gradient in a momentum buffer. */
    public double fresh;
}
