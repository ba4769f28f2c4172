package hocket.schedulers.optimizers;

/**
 * The update rules by name, for static import: {@code adam(2e-4).beta1(0.5)}. Defaults are PyTorch's. A rate that changes
 * is set by the rule's {@code rate(Rate)}.
 */
public final class Optimizers {
    private Optimizers() {}

    /** Stochastic gradient descent without momentum; see {@link Sgd}. */
    public static Sgd sgd(double rate) {
        return new Sgd(Rate.constant(rate), 0, 0, false, 0);
    }

    /** Adam with beta1 0.9, beta2 0.999, epsilon 1e-8 and no weight decay; see {@link Adam}. */
    public static Adam adam(double rate) {
        return new Adam(Rate.constant(rate), 0.9, 0.999, 1e-8, 0, false);
    }

    /** RMSprop with decay 0.99, epsilon 1e-8, neither centred nor with momentum; see {@link RmsProp}. */
    public static RmsProp rmsProp(double rate) {
        return new RmsProp(Rate.constant(rate), 0.99, 1e-8, false, 0);
    }
}
