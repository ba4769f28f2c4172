package hocket.schedulers.optimizers;

import java.util.List;

/**
 * A rule whose gradients are scaled down together when their norm is too large; see {@link UpdateRule#clip}.
 *
 * @param rule what is applied to the scaled gradients
 * @param maxNorm the largest norm that is left as it is, above 0
 */
public record Clipped(UpdateRule rule, double maxNorm) implements UpdateRule {
    /** @throws IllegalArgumentException if the norm is not finite and above 0, or the rule is already clipped */
    public Clipped {
        Require.positive("maxNorm", maxNorm);
        if (rule instanceof Clipped inner) {
            throw new IllegalArgumentException("clip: the rule is already clipped at " + inner.maxNorm);
        }
    }

    /** The factor for gradients of a given norm; NaN for NaN. */
    double scale(double norm) {
        return Math.min(1, maxNorm / (norm + 1e-6));
    }

    @Override
    public String name() {
        return rule.name();
    }

    @Override
    public List<String> slots() {
        return rule.slots();
    }

    @Override
    public Rate rate() {
        return rule.rate();
    }

    @Override
    public void prepare(long count, Step step) {
        rule.prepare(count, step);
    }

    @Override
    public void apply(Kernels kernels, Step step, Operands operands, int from, int to) {
        rule.apply(kernels, step, operands, from, to);
    }
}
