package hocket.gan.losses;

import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.negate;
import static hocket.programs.Operators.subtract;

import hocket.programs.Value;

/**
 * Arjovsky et al. 2017: D: {@code mean f - mean r}, G: {@code -mean f}. The discriminator, called a critic here, must be
 * Lipschitz-constrained, by {@code wgan_gp} for example; its decision threshold has no meaning.
 */
public record Wasserstein() implements GanLoss {
    @Override
    public Value discriminator(Value real, Value fake) {
        return subtract(mean(fake), mean(real));
    }

    @Override
    public Value generator(Value real, Value fake) {
        return negate(mean(fake));
    }

    @Override
    public boolean requiresLipschitz() {
        return true;
    }
}
