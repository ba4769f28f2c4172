package hocket.schedulers.optimizers;

import java.util.ArrayList;
import java.util.List;

/**
 * RMSprop (Hinton, lecture 6e of Neural Networks for Machine Learning, 2012), as PyTorch's {@code torch.optim.RMSprop}.
 * With gradient g, weight w, rate r:
 *
 * <pre>
 * v ← decay · v + (1 − decay) · g²
 * u ← g / (√v + epsilon)                        (centred: a ← decay · a + (1 − decay) · g and √max(0, v − a²))
 * b ← momentum · b + u
 * w ← w − r · b                                 (without momentum: w − r · u)
 * </pre>
 *
 * Epsilon is added outside the root; Optax adds it inside by default.
 *
 * @param rate the learning rate
 * @param decay share of the averages that is kept, in [0, 1); PyTorch calls it alpha
 * @param epsilon added to the root, at least 0
 * @param centred whether to divide by the deviation from the mean gradient instead of by the root mean square
 * @param momentum share of the buffer b that is kept, in [0, 1); with 0 there is no buffer
 */
public record RmsProp(Rate rate, double decay, double epsilon, boolean centred, double momentum) implements UpdateRule {
    /** @throws IllegalArgumentException if a setting is out of its range, naming both */
    public RmsProp {
        Require.belowOne("decay", decay);
        Require.notNegative("epsilon", epsilon);
        Require.belowOne("momentum", momentum);
    }

    public RmsProp rate(Rate value) {
        return new RmsProp(value, decay, epsilon, centred, momentum);
    }

    public RmsProp decay(double value) {
        return new RmsProp(rate, value, epsilon, centred, momentum);
    }

    public RmsProp epsilon(double value) {
        return new RmsProp(rate, decay, value, centred, momentum);
    }

    public RmsProp centred(boolean value) {
        return new RmsProp(rate, decay, epsilon, value, momentum);
    }

    public RmsProp momentum(double value) {
        return new RmsProp(rate, decay, epsilon, centred, value);
    }

    @Override
    public String name() {
        return "rmsprop";
    }

    @Override
    public List<String> slots() {
        List<String> slots = new ArrayList<>(List.of("v"));
        if (centred) {
            slots.add("mean");
        }
        if (momentum > 0) {
            slots.add("momentum");
        }
        return List.copyOf(slots);
    }

    @Override
    public void prepare(long count, Step step) {
        step.size = Require.rate(this, count);
        step.epsilon = epsilon;
    }

    @Override
    public void apply(Kernels kernels, Step step, Operands on, int from, int to) {
        List<Reals> slots = on.slots();
        Reals mean = centred ? slots.get(1) : null;
        Reals buffer = momentum > 0 ? slots.get(slots.size() - 1) : null;
        kernels.loops(on.weight().type())
                .rmsProp(this, step, on.weight(), on.gradient(), slots.get(0), mean, buffer, from, to);
    }
}
