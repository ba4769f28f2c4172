package hocket.gan.losses;

import static hocket.programs.Operators.add;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.negate;
import static hocket.programs.Operators.softplus;

import hocket.programs.Value;

/**
 * The non-saturating loss of Goodfellow et al. 2014, section 3: D: {@code mean softplus(-r) + mean softplus(f)}, G: {@code
 * mean softplus(-f)}, on logits r of real and f of generated rows.
 */
public record NonSaturating() implements GanLoss {
    @Override
    public Value discriminator(Value real, Value fake) {
        return add(mean(softplus(negate(real))), mean(softplus(fake)));
    }

    @Override
    public Value generator(Value real, Value fake) {
        return mean(softplus(negate(fake)));
    }

    @Override
    public boolean hasTargets() {
        return true;
    }
}
