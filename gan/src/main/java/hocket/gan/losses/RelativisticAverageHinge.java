package hocket.gan.losses;

import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.subtract;

import hocket.programs.Value;

/**
 * The relativistic average hinge loss (Jolicoeur-Martineau 2018, appendix): D: {@code mean max(0, 1 - (r - mean f)) + mean
 * max(0, 1 + (f - mean r))}, G: r and f swapped.
 */
public record RelativisticAverageHinge() implements RelativisticLoss {
    @Override
    public Value discriminator(Value real, Value fake) {
        return GanLoss.hinge().discriminator(subtract(real, mean(fake)), subtract(fake, mean(real)));
    }
}
