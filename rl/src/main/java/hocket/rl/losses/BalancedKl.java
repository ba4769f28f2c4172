package hocket.rl.losses;

import static hocket.programs.Operators.add;
import static hocket.programs.Operators.maximum;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.stopGradient;
import static hocket.programs.Operators.sum;

import hocket.programs.Value;
import hocket.programs.layers.Distributions.Categorical;
import hocket.schedulers.settings.Limits;

/**
 * The loss that brings a prior of latents and their posterior together (Hafner et al. 2021, "Mastering Atari with discrete world
 * models", algorithm 2; 2023, equation 5): {@code mean(dynamics·max(free, KL(sg(q) ‖ p)) + representation·max(free, KL(q ‖ sg(p))))}.
 * The first term trains the prior p to predict the posterior q, the second the posterior to be predictable.
 *
 * @param dynamics weight of the prior's term
 * @param representation weight of the posterior's term
 * @param free nats below which a row has no gradient
 */
public record BalancedKl(double dynamics, double representation, double free) {
    /** @throws IllegalArgumentException if a number is negative or not finite */
    public BalancedKl {
        Limits.notNegative("balanced KL: dynamics", dynamics);
        Limits.notNegative("balanced KL: representation", representation);
        Limits.notNegative("balanced KL: free", free);
    }

    /**
     * Computes the loss.
     *
     * @param posterior of logits (…, groups, classes)
     * @param prior of logits of the same shape
     * @return one number
     */
    public Value loss(Categorical posterior, Categorical prior) {
        Value forward = divergence(new Categorical(stopGradient(posterior.logits())), prior);
        Value backward = divergence(posterior, new Categorical(stopGradient(prior.logits())));
        return mean(add(scale(clipped(forward), dynamics), scale(clipped(backward), representation)));
    }

    /** Returns the divergence of the posterior from the prior, summed over groups: (…) in nats. */
    public static Value divergence(Categorical posterior, Categorical prior) {
        Value each = posterior.kullbackLeibler(prior);
        return sum(each, each.shape().rank() - 1);
    }

    private Value clipped(Value divergence) {
        return free == 0 ? divergence : maximum(divergence, divergence.graph().constant(free));
    }
}
