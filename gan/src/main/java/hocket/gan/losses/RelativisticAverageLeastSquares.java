package hocket.gan.losses;

import static hocket.programs.Operators.add;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.shift;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.subtract;

import hocket.programs.Value;

/**
 * The relativistic average least-squares loss (Jolicoeur-Martineau 2018, appendix): D: {@code mean (r - mean f - 1)² + mean
 * (f - mean r + 1)²}, G: r and f swapped.
 */
public record RelativisticAverageLeastSquares() implements RelativisticLoss {
    @Override
    public Value discriminator(Value real, Value fake) {
        return add(
                mean(square(shift(subtract(real, mean(fake)), -1))),
                mean(square(shift(subtract(fake, mean(real)), 1))));
    }
}
