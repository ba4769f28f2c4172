package hocket.gan.losses;

import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.subtract;

import hocket.programs.Value;

/**
 * The relativistic average loss (Jolicoeur-Martineau 2018, section 4.2): D: {@code mean softplus(-(r - mean f)) + mean
 * softplus(f - mean r)}, G: r and f swapped. The gradient flows through the means.
 */
public record RelativisticAverage() implements RelativisticLoss {
    @Override
    public Value discriminator(Value real, Value fake) {
        return GanLoss.nonSaturating().discriminator(subtract(real, mean(fake)), subtract(fake, mean(real)));
    }
}
