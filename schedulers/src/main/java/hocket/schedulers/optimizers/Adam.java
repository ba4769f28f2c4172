package hocket.schedulers.optimizers;

import java.util.List;

/**
 * Adam (Kingma and Ba, 2015, section 2) and AdamW (Loshchilov and Hutter, 2019, algorithm 2), as PyTorch's
 * {@code torch.optim.Adam} and {@code AdamW}. With gradient g, weight w, rate r, at update t:
 *
 * <pre>
 * g ← g + weightDecay · w                       (decoupled: w ← w · (1 − r · weightDecay) instead)
 * m ← beta1 · m + (1 − beta1) · g
 * v ← beta2 · v + (1 − beta2) · g²
 * w ← w − r · m/(1 − beta1ᵗ) / (√(v/(1 − beta2ᵗ)) + epsilon)
 * </pre>
 *
 * The two corrections are folded into the rate and epsilon, once an update, by section 2's reordering.
 *
 * @param rate the learning rate
 * @param beta1 share of m that is kept, in [0, 1)
 * @param beta2 share of v that is kept, in [0, 1)
 * @param epsilon added to the root, at least 0
 * @param weightDecay factor of the weight that is added to its gradient, or taken off the weight; at least 0
 * @param decoupled whether the decay goes past the two averages, as in AdamW
 */
public record Adam(Rate rate, double beta1, double beta2, double epsilon, double weightDecay, boolean decoupled)
        implements UpdateRule {
    /** @throws IllegalArgumentException if a setting is out of its range, naming both */
    public Adam {
        Require.belowOne("beta1", beta1);
        Require.belowOne("beta2", beta2);
        Require.notNegative("epsilon", epsilon);
        Require.notNegative("weightDecay", weightDecay);
    }

    public Adam rate(Rate value) {
        return new Adam(value, beta1, beta2, epsilon, weightDecay, decoupled);
    }

    public Adam beta1(double value) {
        return new Adam(rate, value, beta2, epsilon, weightDecay, decoupled);
    }

    public Adam beta2(double value) {
        return new Adam(rate, beta1, value, epsilon, weightDecay, decoupled);
    }

    public Adam epsilon(double value) {
        return new Adam(rate, beta1, beta2, value, weightDecay, decoupled);
    }

    /** Decay by the gradient, as PyTorch's {@code Adam(weight_decay)}. */
    public Adam weightDecay(double value) {
        return new Adam(rate, beta1, beta2, epsilon, value, false);
    }

    /** Decay of the weight itself, as PyTorch's {@code AdamW(weight_decay)}. */
    public Adam decoupledWeightDecay(double value) {
        return new Adam(rate, beta1, beta2, epsilon, value, true);
    }

    @Override
    public String name() {
        return "adam";
    }

    @Override
    public List<String> slots() {
        return List.of("m", "v");
    }

    /** The factor of the weight that is added to its gradient. */
    double gradientDecay() {
        return decoupled ? 0 : weightDecay;
    }

    @Override
    public void prepare(long count, Step step) {
        double value = Require.rate(this, count);
        double root = Math.sqrt(1 - power(beta2, count));
        step.size = value * root / (1 - power(beta1, count));
        step.epsilon = epsilon * root;
        step.keep = decoupled ? 1 - value * weightDecay : 1;
    }

    /** By squaring: the JIT may change the bits of Math.pow, and StrictMath.pow makes objects. */
    private static double power(double base, long exponent) {
        double power = 1;
        double square = base;
        for (long left = exponent; left > 0; left >>= 1) {
            if ((left & 1) == 1) {
                power *= square;
            }
            square *= square;
        }
        return power;
    }

    @Override
    public void apply(Kernels kernels, Step step, Operands on, int from, int to) {
        List<Reals> slots = on.slots();
        kernels.loops(on.weight().type())
                .adam(this, step, on.weight(), on.gradient(), slots.get(0), slots.get(1), from, to);
    }
}
