package hocket.schedulers.optimizers;

import java.util.List;

/**
 * Stochastic gradient descent, as PyTorch's {@code torch.optim.SGD}. With gradient g, weight w, rate r:
 *
 * <pre>
 * g ← g + weightDecay · w
 * b ← momentum · b + (1 − dampening) · g        (the first update: b ← g)
 * w ← w − r · b                                 (nesterov: w − r · (g + momentum · b); without momentum: w − r · g)
 * </pre>
 *
 * @param rate the learning rate
 * @param momentum share of the buffer b that is kept, in [0, 1); with 0 there is no buffer
 * @param dampening share of the gradient kept out of the buffer, in [0, 1]; 0 without momentum
 * @param nesterov whether to look ahead along the buffer; needs momentum and no dampening
 * @param weightDecay factor of the weight that is added to its gradient, at least 0
 */
public record Sgd(Rate rate, double momentum, double dampening, boolean nesterov, double weightDecay)
        implements UpdateRule {
    /** @throws IllegalArgumentException if a setting is out of its range, naming both */
    public Sgd {
        Require.belowOne("momentum", momentum);
        Require.atMostOne("dampening", dampening);
        Require.notNegative("weightDecay", weightDecay);
        if (dampening > 0 && momentum == 0) {
            throw new IllegalArgumentException("dampening: needs a momentum above 0, was " + dampening + " with none");
        }
        if (nesterov && (momentum == 0 || dampening > 0)) {
            throw new IllegalArgumentException("nesterov: needs a momentum above 0 and no dampening, had momentum "
                    + momentum + " and dampening " + dampening);
        }
    }

    public Sgd rate(Rate value) {
        return new Sgd(value, momentum, dampening, nesterov, weightDecay);
    }

    public Sgd momentum(double value) {
        return new Sgd(rate, value, dampening, nesterov, weightDecay);
    }

    public Sgd dampening(double value) {
        return new Sgd(rate, momentum, value, nesterov, weightDecay);
    }

    public Sgd nesterov(boolean value) {
        return new Sgd(rate, momentum, dampening, value, weightDecay);
    }

    public Sgd weightDecay(double value) {
        return new Sgd(rate, momentum, dampening, nesterov, value);
    }

    @Override
    public String name() {
        return "sgd";
    }

    @Override
    public List<String> slots() {
        return momentum > 0 ? List.of("momentum") : List.of();
    }

    @Override
    public void prepare(long count, Step step) {
        step.size = Require.rate(this, count);
        step.fresh = count == 1 ? 1 : 1 - dampening;
    }

    @Override
    public void apply(Kernels kernels, Step step, Operands on, int from, int to) {
        Loops loops = kernels.loops(on.weight().type());
        if (momentum > 0) {
            loops.momentum(this, step, on.weight(), on.gradient(), on.slots().get(0), from, to);
        } else {
            loops.sgd(this, step, on.weight(), on.gradient(), from, to);
        }
    }
}
