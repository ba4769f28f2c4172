package hocket.gan.losses;

import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.subtract;

import hocket.programs.Value;
import java.util.OptionalDouble;

/**
 * The relativistic average hinge loss (Jolicoeur-Martineau 2018, appendix): D: {@code mean max(0, 1 - (r - mean f)) + mean
 * max(0, 1 + (f - mean r))}, G: r and f swapped.
 */
public record RelativisticAverageHinge() implements GanLoss {
    @Override
    public Value discriminator(Value real, Value fake) {
        return GanLoss.hinge().discriminator(subtract(real, mean(fake)), subtract(fake, mean(real)));
    }

    @Override
    public Value generator(Value real, Value fake) {
        return discriminator(fake, real);
    }

    @Override
    public OptionalDouble decisionThreshold() {
        return OptionalDouble.empty();
    }
}
