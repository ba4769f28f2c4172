package hocket.gan.losses;

import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.softplus;
import static hocket.programs.Operators.subtract;

import hocket.programs.Value;

/**
 * The relativistic pairing loss (Jolicoeur-Martineau 2018, section 4.1; R3GAN, Huang et al. 2024): D: {@code mean
 * softplus(-(r - f))}, G: {@code mean softplus(-(f - r))}, with the i-th real and the i-th generated row as a pair.
 */
public record RelativisticPaired() implements RelativisticLoss {
    @Override
    public Value discriminator(Value real, Value fake) {
        return mean(softplus(subtract(fake, real)));
    }
}
