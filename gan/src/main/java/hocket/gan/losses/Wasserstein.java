package hocket.gan.losses;

import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.negate;
import static hocket.programs.Operators.subtract;

import hocket.programs.Value;
import java.util.OptionalDouble;

/**
 * The Wasserstein loss (Arjovsky et al. 2017): D: {@code mean f - mean r}, G: {@code -mean f}. The discriminator, called a
 * critic here, must be Lipschitz-constrained, by {@code wgan_gp} for example.
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

    @Override
    public OptionalDouble decisionThreshold() {
        return OptionalDouble.empty();
    }
}
