package hocket.gan.losses;

import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.negate;
import static hocket.programs.Operators.softplus;

import hocket.programs.Value;

/**
 * The minimax loss of Goodfellow et al. 2014, equation 1: D: {@code mean softplus(-r) + mean softplus(f)}, G: {@code -mean
 * softplus(f)}. The generator's gradient vanishes where the discriminator is sure.
 */
public record Minimax() implements GanLoss {
    @Override
    public Value discriminator(Value real, Value fake) {
        return GanLoss.nonSaturating().discriminator(real, fake);
    }

    @Override
    public Value generator(Value real, Value fake) {
        return negate(mean(softplus(fake)));
    }

    @Override
    public boolean hasTargets() {
        return true;
    }
}
